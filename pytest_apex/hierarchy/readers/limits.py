"""How much of a source is read at most. Sources come from devices and strangers: time and memory stay bounded.

Each limit lies far above what a real screen needs; what is left out is told in the notes of the snapshot.
"""

from __future__ import annotations

#: Bytes (or characters) of a source; a larger one is refused. A real dump takes 300 to 600 bytes a node, so this is
#: more than `MAX_NODES` of them.
MAX_SIZE = 96 * 1024 * 1024

#: Nodes of a tree. The largest real dumps have some 3,000; 100,000 are an everyday hostile input.
MAX_NODES = 150_000

#: Levels of a tree. The tools that make them stop at 50 (uiautomator2), 62 (XCTest) and 500 (Appium's
#: `snapshotMaxDepth`); whoever walks from nodes to their ancestors pays for each level.
MAX_DEPTH = 2_000

#: Edges further out than this are no place on any screen (CoreGraphics' "infinite" rectangles, overflows).
MAX_COORDINATE = 10_000_000.0

#: Values looked at in a JSON document that may hold a hierarchy in one of its texts.
MAX_JSON_VALUES = 10_000
