"""Trees: finding controls, where a finger can land, what changed, the tree as text. The only room that knows lxml."""
