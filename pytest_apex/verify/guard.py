"""Which controls must not be touched a second time.

Words for acts that send, pay or destroy; matched as whole words in the control's names, in any case.
"""

from __future__ import annotations

import re

from pytest_apex.model.node import Node, NodeState

#: Destructive or sending acts, in English and Chinese.
DESTRUCTIVE = (
    "comment", "send", "publish", "submit", "post", "repost", "reply", "share", "buy", "order", "purchase", "checkout",
    "check out", "pay", "donate", "transfer", "book", "delete", "remove", "erase", "uninstall", "log out", "logout",
    "sign out", "close account", "delete account", "report", "block", "clear", "reset", "confirm",
)  # fmt: skip
DESTRUCTIVE_ZH = (
    "评论", "发送", "发布", "提交", "转发", "回复", "分享", "购买", "下单", "支付", "付款", "转账", "删除", "移除",
    "卸载", "退出登录", "注销", "举报", "屏蔽", "清空", "重置", "确认",
)  # fmt: skip
_WORDS = re.compile(r"(?<![a-z])(" + "|".join(re.escape(word) for word in DESTRUCTIVE) + r")(?![a-z])")
#: Roles that change with each touch: two touches are not one.
_TOGGLES = frozenset({"switch", "checkbox", "radio", "stepper", "slider", "picker", "key"})


def destructive_word(node: Node) -> str:
    """The word that makes a control look like one whose act can't be undone; empty if there is none."""
    names = [node.text, node.label, node.identifier.rpartition("/")[2].replace("_", " ").replace("-", " ")]
    names.extend(item.text or item.label for item in node.descendants)
    return next((word for word in map(destructive_word_in, names) if word), "")


def destructive_word_in(name: str) -> str:
    """The same for one of its names."""
    found = _WORDS.search(name.casefold())
    if found:
        return found.group(1)
    return next((word for word in DESTRUCTIVE_ZH if word in name), "")


def may_repeat(node: Node) -> bool:
    """Whether the rubric's rule 7 allows a second touch: a control that works, can be clicked, neither toggles nor
    sends."""
    toggles = node.role in _TOGGLES or node.has(NodeState.CHECKABLE)
    return node.enabled and node.has(NodeState.CLICKABLE) and not toggles and not destructive_word(node)
