"""Settling: never settled while something moves, hardly late, and not fooled by what lives by itself."""

from __future__ import annotations

import random

import pytest

from pytest_apex.device.looking.settle import Rest, settle
from pytest_apex.model.look import Settled, Unsettled

LIMIT = "--apex-settle-timeout 5 s (default)"


def _settle(scripted, **options):
    return settle(scripted.look, scripted.clock, Rest(5.0, LIMIT), **options)


def test_a_still_screen_needs_two_looks(screen, still):
    scripted = screen(lambda t: still)
    result = _settle(scripted)
    assert isinstance(result, Settled)
    assert result.probes == 2
    assert result.waited_ms < 200


def test_a_screen_settled_before_needs_one_equal_look(screen, still, as_snapshot):
    scripted = screen(lambda t: still)
    result = _settle(scripted, previous=as_snapshot(still))
    assert isinstance(result, Settled)
    assert result.probes == 1


def test_a_screen_that_changed_since_needs_more_than_one_look(screen, still, part, as_snapshot):
    scripted = screen(lambda t: [*still, part("button", (10, 200, 90, 240), "New")])
    result = _settle(scripted, previous=as_snapshot(still))
    assert result.probes > 1


def test_never_settled_while_an_animation_runs_and_at_most_400_ms_late(screen, still, part):
    random_source = random.Random(4)
    for _ in range(200):
        length = random_source.uniform(0.15, 3.0)
        gap = random_source.uniform(0.0, 0.2)
        at = random_source.uniform(0.1, max(0.11, length - gap))

        def show(t, length=length, gap=gap, at=at):
            moving = min(t, at) if at <= t < at + gap else min(t, length)
            return [*still, part("card", (10 + moving * 40, 250, 60 + moving * 40, 300), "Card")]

        scripted = screen(show)
        result = _settle(scripted)
        assert isinstance(result, Settled)
        ended = scripted.clock.now() - scripted.started
        still_from = max(length, at + gap)
        assert ended >= still_from
        assert ended - still_from <= 0.4


def test_an_endless_animation_is_unsettled_and_named(screen, still, part):
    scripted = screen(lambda t: [*still, part("card", (10 + (t * 30) % 80, 250, 60 + (t * 30) % 80, 300), "Promo")])
    result = _settle(scripted)
    assert isinstance(result, Unsettled)
    assert result.why == "animating"
    assert any("Promo" in word for word in result.moving)
    assert "5 s" in result.limit


@pytest.mark.parametrize("seed", range(100))
def test_what_goes_to_and_fro_is_not_settled_however_slow_the_looks_are(screen, still, part, seed):
    """Two slow looks can meet it at the same place, on the way there and back."""
    chance = random.Random(seed)

    def show(t):
        share = t % 1.6 / 1.6
        x = 10 + 56 * min(share, 1 - share)
        return [*still, part("card", (x, 250, x + 50, 300), "Promo")]

    result = _settle(screen(show, takes=lambda: chance.uniform(0.1, 0.5)))
    assert isinstance(result, Unsettled)


def test_a_slow_look_at_a_screen_that_came_to_rest_settles(screen, still, part):
    scripted = screen(lambda t: [*still, part("card", (10 + 40 * min(t, 1), 250, 60, 300))], takes=lambda: 0.4)
    result = _settle(scripted)
    assert isinstance(result, Settled)
    assert result.probes <= 6


def test_a_loading_sign_is_loading_not_settled(screen, still, part):
    scripted = screen(lambda t: [*still, part("progress", (80, 200, 120, 240))])
    result = _settle(scripted)
    assert isinstance(result, Unsettled)
    assert result.why == "loading"


def test_a_loading_sign_may_be_left_out_of_account(screen, still, part):
    scripted = screen(lambda t: [*still, part("progress", (80, 200, 120, 240))])
    result = settle(scripted.look, scripted.clock, Rest(5.0, "limit", wait_for_loading=False))
    assert isinstance(result, Settled)


def test_a_ticking_clock_costs_at_most_one_extra_look(screen, still, part):
    for offset in range(10):

        def show(t, offset=offset):
            second = int(t + offset / 10) % 60
            return [*still, part("text", (150, 10, 190, 30), f"12:00:{second:02}", color=f"#{second:02}4455")]

        scripted = screen(show)
        result = _settle(scripted)
        assert isinstance(result, Settled)
        assert result.probes <= 3


def test_a_small_living_region_is_named_and_does_not_hold_up(screen, still, part):
    def show(t):
        shade = int(t * 20) % 10
        return [*still, part("image", (10, 250, 60, 300), color=f"#{shade}{shade}0000")]

    result = _settle(screen(show))
    assert isinstance(result, Settled)
    assert result.alive
    assert "image" in result.alive[0]


def test_a_fade_in_a_corner_is_waited_for(screen, still, part):
    def show(t):
        shade = int(min(t, 1.5) * 100)
        return [*still, part("image", (10, 250, 60, 300), color=f"#{shade:02x}0000")]

    scripted = screen(show)
    assert isinstance(_settle(scripted), Settled)
    assert scripted.clock.now() - scripted.started >= 1.5


def test_what_was_proven_to_live_is_remembered_while_the_screen_is_the_same(screen, still, part):
    def show(t):
        shade = int(t * 20) % 10
        rows = still if t < 20 else [*still, part("text", (10, 350, 100, 380), "Another")]
        return [*rows, part("image", (10, 250, 60, 300), color=f"#{shade}{shade}0000")]

    scripted, rest = screen(show), Rest(5.0, "limit")
    first = settle(scripted.look, scripted.clock, rest)
    again = settle(scripted.look, scripted.clock, rest, previous=first.snapshot)
    assert again.probes == 1
    scripted.clock.sleep(30)
    other = settle(scripted.look, scripted.clock, rest, previous=first.snapshot)
    assert isinstance(other, Settled)
    assert other.waited_ms > 2000, "proven anew on another screen"


def test_a_whole_screen_that_keeps_changing_is_no_living_corner(screen, still, part):
    def show(t):
        shade = int(t * 20) % 10
        return [part("image", (0, 0, 200, 400), color=f"#{shade}{shade}0000"), *still]

    result = _settle(screen(show))
    assert isinstance(result, Unsettled)
    assert result.why == "animating"


@pytest.mark.parametrize("gap", [0.2, 0.6, 1.2])
def test_a_blank_gap_between_two_screens_is_not_settled(screen, still, part, gap):
    after = [part("text", (10, 10 + 40 * row, 190, 40 + 40 * row), f"Row {row}") for row in range(4)]

    def show(t):
        if t < 0.05:
            return still
        return [] if t < 0.05 + gap else after

    result = _settle(screen(show))
    assert isinstance(result, Settled)
    assert len(result.snapshot) == 5


def test_a_screen_that_stays_blank_settles_after_its_grace(screen):
    scripted = screen(lambda t: [])
    result = _settle(scripted)
    assert isinstance(result, Settled)
    assert scripted.clock.now() - scripted.started >= 2.0
