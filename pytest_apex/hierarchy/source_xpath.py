"""XPath over a page source as text, for those who serve one."""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from pytest_apex.errors import ConfigError


def select(source: str, path: str, within: int | None = None) -> Sequence[int]:
    """The elements that an expression selects, each as its place among all elements of the source in document order
    (the outermost is 0); `within` is the one that the expression starts from. Raises `ConfigError`."""
    root = etree.fromstring(source.encode(), etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))
    every = list(root.iter(etree.Element))
    start = root.getroottree() if within is None else every[within]
    try:
        found = start.xpath(path)
    except (etree.XPathError, ValueError) as error:
        raise ConfigError(f"the xpath {path[:200]!r} is wrong", seen=str(error)) from error
    if not isinstance(found, list) or not all(isinstance(item, etree._Element) for item in found):
        raise ConfigError(f"the xpath {path[:200]!r} does not select elements")
    places = {element: place for place, element in enumerate(every)}
    return sorted(places[item] for item in found if item in places)
