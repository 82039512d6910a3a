"""Broken hierarchies are read as far as they go, with a note; entity tricks do nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.errors import SourceError
from pytest_apex.hierarchy.readers import limits, read
from pytest_apex.model.geometry import Rect

Make = Callable[..., str]


def texts(source: str | bytes) -> list[str]:
    return [node.text for node in read(source).nodes]


def noted(source: str | bytes, words: str) -> bool:
    return any(words in note for note in read(source).notes)


@pytest.mark.parametrize(
    ("value", "read_as", "note"),
    [
        ("Tom & Jerry", "Tom & Jerry", "unescaped &"),
        ("a &amp; b & c", "a & b & c", "unescaped &"),
        ("1 < 2", "1 < 2", "unescaped <"),
        ("<b>bold</b>", "<b>bold</b>", "unescaped <"),
        ("a > b", "a > b", ""),
        ('say "hi" to', 'say "hi" to', ""),
        ("it's", "it's", ""),
        ("&xxe;", "&xxe;", "unknown entity"),
        ("a\x0bb\x00c", "a\ufffdb\ufffdc", "control characters: 2"),
        ("a&#11;b", "a\ufffdb", "control characters: 1"),
        ("&#55357;&#56832;", "\U0001f600", ""),
        ("&#55357;!", "\ufffd!", "lone surrogates"),
        ("&#99999999;", "\ufffd", ""),
        ("a\nb\tc", "a b c", ""),
        ("a&#10;b", "a\nb", ""),
    ],
)
def test_values(make: Make, make_dump: Make, value: str, read_as: str, note: str) -> None:
    source = make_dump(make(make(text=value) + make(text="after")))
    assert texts(source) == ["", read_as, "after"]
    if note:
        assert noted(source, note)
    else:
        assert read(source).notes == ()


def test_two_attributes_of_one_name(make: Make, make_dump: Make) -> None:
    source = make_dump(make(text="a").replace('text="a"', 'text="a" text="b"'))
    assert texts(source) == ["a"]
    assert noted(source, "given twice: 1")


@pytest.mark.parametrize("keep", [1.0, 0.9, 0.7, 0.5, 0.3])
def test_a_cut_file_is_read_up_to_its_end(make: Make, make_dump: Make, keep: float) -> None:
    whole = make_dump(make("".join(make(text=str(number)) for number in range(40))))
    end = whole.index("</hierarchy>") if keep == 1.0 else int(len(whole) * keep)
    found = texts(whole[:end])[1:]
    assert found == [str(number) for number in range(len(found))]
    assert len(found) >= 40 * keep - 3
    assert noted(whole[:end], "the file ends")


def test_a_file_that_is_cut_before_its_first_control(make_dump: Make) -> None:
    snapshot = read('<?xml version="1.0"?><hierarchy rotation="1"><node index="0" te')
    assert (len(snapshot), snapshot.root, snapshot.screen.rotation) == (0, None, 1)
    assert "the tree is empty" in snapshot.notes


def test_an_empty_tree_is_one(make_dump: Make) -> None:
    for source in (make_dump(), '<hierarchy rotation="0" />', "<AppiumAUT/>"):
        assert len(read(source)) == 0
        assert noted(source, "the tree is empty")


def test_a_piece_without_a_root(make: Make) -> None:
    piece = make(text="a") + make(make(text="c"), text="b") + "</node></hierarchy>"
    assert texts(piece) == ["a", "b", "c"]
    assert noted(piece, "no element hierarchy")
    assert noted(piece, "end tags without a start: 2")


def test_a_tag_that_was_never_finished(make: Make, make_dump: Make) -> None:
    spliced = make_dump(make('<node index="0" text="cut of' + make(text="next") + make(text="last")))
    assert texts(spliced) == ["", "cut of", "next", "last"]
    assert noted(spliced, "never closed: 1")


def test_tags_that_are_never_closed(make_dump: Make) -> None:
    source = make_dump('<a.B text="1"><a.C text="2"></a.B><a.D text="3" />')
    assert texts(source) == ["1", "2", "3"]
    assert [node.parent is None for node in read(source).nodes] == [True, False, True]


def test_text_inside_tags_is_passed_over(make: Make, make_dump: Make) -> None:
    source = make_dump(make(text="a").replace(" package=", "\nwindow_dump.xml:2: package="))
    assert texts(source) == ["a"]
    assert noted(source, "text inside tags")


def test_the_last_complete_of_several_trees(make: Make, make_dump: Make) -> None:
    first, second, third = (make_dump(make(text=name)) for name in ("one", "two", "three"))
    assert texts(first + second) == ["two"]
    assert noted(first + second, "2 trees in the file: the last is read")
    cut = first + second + third[:-30]
    assert texts(cut) == ["two"]
    assert noted(cut, "3 trees in the file: the last complete one is read")
    assert texts(first[:-30] + third[:-9]) == ["three"]


def test_text_around_the_tree(make: Make, make_dump: Make) -> None:
    around = f"bash: line 1\n{make_dump(make(text='a'))}\nUI hierchary dumped to: /sdcard/window_dump.xml\n"
    assert texts(around) == ["a"]
    assert noted(around, "text around the tree")
    assert read(make_dump(make(text="a")) + "\n\n").notes == ()


def test_a_tree_of_another_platform_is_not_left_out_silently(make: Make, make_dump: Make) -> None:
    android = make_dump(make(text="a"))
    apple = '<AppiumAUT><XCUIElementTypeApplication x="0" y="0" width="390" height="844" label="Notes"/></AppiumAUT>'
    for source in (android + apple, apple + android):
        assert read(source).platform == "ios"
        assert read(source).notes == ("a tree of another platform is in the file too, left out",)
    assert read(apple).notes == ()


@pytest.mark.parametrize("prefix", ["dump.xml:{}:", "{}:", "03-07 09:15:02.500  4120  4120 I Dump: "])
def test_a_prefix_on_each_line(make: Make, make_dump: Make, prefix: str) -> None:
    lines = make_dump(make(make(text="a\nb"))).replace("><", ">\n<").split("\n")
    source = "\n".join(prefix.format(number) + line for number, line in enumerate(lines, 1))
    assert texts(source) == ["", "a b"]
    assert noted(source, "prefix")


def test_comments_sections_and_declarations_are_passed_over(make: Make, make_dump: Make) -> None:
    odd = "<!-- <node text='no' /> --><![CDATA[<node text='no' />]]><?pi <node?>"
    assert texts(make_dump(odd + make(text="a") + odd)) == ["a"]


def test_single_quotes_and_spaces_around_signs(make_dump: Make) -> None:
    assert texts(make_dump('<node text = \'say "a"\' bounds= "[0,0][1,1]" ></node >')) == ['say "a"']


class TestBounds:
    """As devices report them, with a note."""

    @pytest.mark.parametrize(
        ("bounds", "rect", "note"),
        [
            ("[-20,-5][10,10]", Rect(-20, -5, 10, 10), ""),
            ("[5,5][5,5]", Rect(5, 5, 5, 5), "without area: 1"),
            ("[0,0][0,0]", Rect(0, 0, 0, 0), "without area: 1"),
            ("[100,100][40,90]", Rect(100, 100, 40, 90), "inverted bounds: 1"),
            ("[0, 72][1080,1920]", Rect(0, 72, 1080, 1920), ""),
            ("[0,0][99999999999,5]", Rect(0, 0, 0, 0), "infinite bounds: 1"),
            ("[0,0]", Rect(0, 0, 0, 0), "without bounds: 1"),
            ("", Rect(0, 0, 0, 0), "without bounds: 1"),
            ("[007,0][10,10]", Rect(7, 0, 10, 10), ""),
            ("[--1,0][10,10]", Rect(0, 0, 0, 0), "without bounds: 1"),
        ],
    )
    def test_odd_ones(self, make: Make, make_dump: Make, bounds: str, rect: Rect, note: str) -> None:
        snapshot = read(make_dump(make(make(bounds=bounds) + make(bounds="[1,2][3,4]"))))
        assert snapshot.nodes[1].bounds == rect
        assert snapshot.nodes[2].bounds == Rect(1, 2, 3, 4)
        assert len(snapshot.notes) == bool(note)
        assert note in "".join(snapshot.notes)


def test_ids_that_occur_twice_are_noted(make: Make, make_dump: Make) -> None:
    rows = "".join(make(resource_id=f"a:id/{name}") for name in ("x", "y", "x", "z", "x", "z"))
    assert read(make_dump(make(rows))).notes == ("2 ids occur more than once (a:id/x: 3 times)",)
    assert read(make_dump(make(make(resource_id="a:id/x") + make()))).notes == ()


class TestEntityTricks:
    """Nothing is declared, opened or expanded."""

    def test_an_external_entity_stays_a_word(self, make: Make, make_dump: Make, tmp_path: Path) -> None:
        secret = tmp_path / "secret"
        secret.write_text("hidden")
        doctype = f'<!DOCTYPE hierarchy [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
        source = make_dump(make(text="&x;")).replace("<hierarchy", f"{doctype}<hierarchy")
        assert texts(source) == ["&x;"]
        assert noted(source, "document type was ignored")

    def test_a_bomb_does_not_go_off(self, make: Make, make_dump: Make) -> None:
        levels = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 20))
        doctype = f'<!DOCTYPE hierarchy [<!ENTITY a0 "boom">{levels}]>'
        inside = make_dump(doctype + make(text="&a19;"))
        assert texts(inside) == ["&a19;"]
        assert texts(inside.replace("<hierarchy", f"{doctype}<hierarchy")) == ["&a19;"]


class TestLimits:
    """Far above real screens, and kept without recursion."""

    def test_ten_thousand_levels(self, make_dump: Make) -> None:
        tag = '<node text="x" bounds="[0,0][1,1]">'
        source = make_dump(tag * 10_000 + "</node>" * 10_000 + '<node text="after" />')
        snapshot = read(source)
        assert limits.MAX_DEPTH >= 1000
        assert len(snapshot) == limits.MAX_DEPTH + 1
        assert sum(1 for _ in snapshot.nodes[-2].ancestors) == limits.MAX_DEPTH - 1
        assert (snapshot.nodes[-1].text, snapshot.nodes[-1].parent) == ("after", None)
        assert f"nodes deeper than {limits.MAX_DEPTH} levels: {10_000 - limits.MAX_DEPTH}, left out" in snapshot.notes

    def test_levels_up_to_the_limit_are_all_there(self, make_dump: Make) -> None:
        tag = '<node text="x" bounds="[0,0][1,1]">'
        snapshot = read(make_dump(tag * limits.MAX_DEPTH + "</node>" * limits.MAX_DEPTH))
        assert (len(snapshot), snapshot.notes) == (limits.MAX_DEPTH, ())

    def test_ten_thousand_levels_that_are_never_closed(self, make_dump: Make) -> None:
        snapshot = read(make_dump('<node bounds="[0,0][1,1]">' * 10_000).replace("</hierarchy>", ""))
        assert len(snapshot) == limits.MAX_DEPTH

    def test_deep_lines(self) -> None:
        lines = "".join(f"{' ' * depth}Other, {{{{0.0, 0.0}}, {{1.0, 1.0}}}}\n" for depth in range(2500))
        assert len(read(f"Element subtree:\n{lines}")) == limits.MAX_DEPTH

    def test_a_hundred_thousand_nodes(self, make_dump: Make) -> None:
        snapshot = read(make_dump('<node><node text="x" bounds="[0,0][1,1]" /></node>' * 50_000))
        assert len(snapshot) == 100_000
        assert snapshot.nodes[-1].text == "x"

    @pytest.mark.parametrize("tag", ["<node text='x' />", '<node text="x" />'])
    def test_more_nodes_than_the_limit(self, make_dump: Make, monkeypatch: pytest.MonkeyPatch, tag: str) -> None:
        monkeypatch.setattr("pytest_apex.hierarchy.readers.table.MAX_NODES", 100)
        snapshot = read(make_dump(tag * 120))
        assert len(snapshot) == 100
        assert any("100 nodes or more" in note for note in snapshot.notes)

    def test_more_lines_than_the_limit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pytest_apex.hierarchy.readers.device_interaction.MAX_NODES", 100)
        head = "Application bundle identifier: a.b\nApplication, pid: 1\n"
        lines = "".join(f" Other, {{{{0.0, {n}.0}}, {{1.0, 1.0}}}}\n" for n in range(120))
        snapshot = read(head + lines)
        assert len(snapshot) == 100
        assert any("the rest was left out" in note for note in snapshot.notes)

    def test_a_source_that_is_too_large(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr("pytest_apex.hierarchy.readers.MAX_SIZE", 100)
        path = tmp_path / "dump.xml"
        path.write_text("<hierarchy>" * 20)
        for source in (path, path.read_text(), path.read_bytes()):
            with pytest.raises(SourceError, match="too large"):
                read(source)


@pytest.mark.parametrize("given", [None, 7, ["<hierarchy/>"], {"a": 1}, object()])
def test_only_content_or_a_path_is_read(given: Any) -> None:
    with pytest.raises(SourceError, match="bytes, text or a path"):
        read(given)


def test_a_path_is_one_only_as_such(tmp_path: Path, make: Make, make_dump: Make) -> None:
    path = tmp_path / "home.xml"
    path.write_text(make_dump(make(text="a")))
    snapshot = read(path)
    assert (snapshot.id, snapshot.nodes[0].text) == ("home.xml", "a")
    with pytest.raises(SourceError, match="no hierarchy"):
        read(str(path))
    for wrong in (tmp_path / "absent.xml", tmp_path, Path("nul\0byte")):
        with pytest.raises(SourceError, match="can't be read"):
            read(wrong)


def test_bytes_of_other_kinds(make: Make, make_dump: Make) -> None:
    data = make_dump(make(text="a")).encode()
    assert texts(bytearray(data)) == texts(memoryview(data)) == ["a"]  # type: ignore[arg-type]
