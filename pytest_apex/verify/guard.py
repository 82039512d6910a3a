"""Which controls look as if their act could not be undone: the words that say so, in one list.

They warn, and they keep a touch from being repeated. What is refused stands in `irreversible.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from pytest_apex.hierarchy.around import is_touchable, touchable
from pytest_apex.model.node import Node, NodeState

#: Destructive or sending acts; whole words, in any case.
DESTRUCTIVE = (
    "comment", "send", "publish", "submit", "post", "repost", "reply", "share", "buy", "order", "purchase", "checkout",
    "check out", "pay", "donate", "transfer", "book", "delete", "remove", "erase", "uninstall", "log out", "logout",
    "sign out", "close account", "delete account", "report", "block", "clear", "reset", "confirm",
    # German, French, Spanish, Portuguese, Russian
    "löschen", "entfernen", "senden", "absenden", "veröffentlichen", "kaufen", "bestellen", "bezahlen", "abmelden",
    "supprimer", "effacer", "envoyer", "publier", "acheter", "commander", "payer", "se déconnecter",
    "eliminar", "borrar", "enviar", "publicar", "comprar", "pagar", "cerrar sesión",
    "excluir", "apagar", "terminar sessão",
    "удалить", "отправить", "опубликовать", "купить", "оплатить", "выйти",
)  # fmt: skip
#: Languages that put no space between words: part of a name counts. Chinese, simplified and traditional; Japanese;
#: Korean.
DESTRUCTIVE_ZH = (
    "评论", "发送", "发布", "提交", "转发", "回复", "分享", "购买", "下单", "支付", "付款", "转账", "删除", "移除",
    "卸载", "退出登录", "注销", "举报", "屏蔽", "拉黑", "清空", "清除", "重置", "确认",
    "評論", "發送", "傳送", "發佈", "轉發", "購買", "結帳", "轉帳", "刪除", "解除安裝", "登出", "檢舉", "封鎖",
    "削除", "送信", "投稿", "公開", "購入", "支払", "注文", "ログアウト", "退会", "通報", "ブロック", "消去",
    "삭제", "보내기", "전송", "게시", "구매", "결제", "주문", "로그아웃", "탈퇴", "신고", "차단",
)  # fmt: skip
#: Words further inside than this many nodes are nobody's name for a control.
_FAR = 200
#: Roles that change with each touch: two touches are not one.
_TOGGLES = frozenset({"switch", "checkbox", "radio", "stepper", "slider", "picker", "key"})


def destructive_word(node: Node, more: Iterable[str] = ()) -> str:
    """The word that makes a control look like one whose act can't be undone; empty if there is none. `more` are words
    of the project's own."""
    names = [node.text, node.label, node.identifier.rpartition("/")[2].replace("_", " ").replace("-", " ")]
    names.extend(item.text or item.label for item in node.descendants)
    more = tuple(more)
    return next((word for word in (destructive_word_in(name, more) for name in names) if word), "")


def warning_word(node: Node, more: Iterable[str] = ()) -> str:
    """The word that a touch on a control is worth a warning for: one of its own, not of further controls inside it, and
    not on a text field, which a touch only gives the focus."""
    control = touchable(node)
    if control.has(NodeState.EDITABLE) or control.role == "text_field":
        return ""
    more = tuple(more)
    return next((word for word in (destructive_word_in(name, more) for name in own_words(node)) if word), "")


def own_words(node: Node) -> list[str]:
    """The words on a control and on what takes its touch; those of further controls inside are theirs."""
    control = touchable(node)
    tree, index = control.tree, control.index + 1
    end = min(tree.ends[control.index], index + _FAR)
    own = [node, control]
    while index < end:
        if is_touchable(tree, index):
            index = tree.ends[index]
            continue
        own.append(tree.node(index))
        index += 1
    return [word for each in own for word in (each.text, each.label) if word]


def destructive_word_in(name: str, more: Iterable[str] = ()) -> str:
    """The same for one of its names."""
    spaced, joined = _words(tuple(more))
    found = spaced.search(name.casefold())
    if found:
        return found.group(1)
    return next((word for word in joined if word in name.casefold()), "")


@lru_cache(maxsize=16)
def _words(more: tuple[str, ...]) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """What is looked for as a whole word, and what as a part."""
    own = [word.casefold() for word in more]
    spaced = [*DESTRUCTIVE, *(word for word in own if not _is_joined(word))]
    pattern = r"(?<![^\W\d_])(" + "|".join(re.escape(word) for word in spaced) + r")(?![^\W\d_])"
    return re.compile(pattern), (*DESTRUCTIVE_ZH, *(word for word in own if _is_joined(word)))


def _is_joined(word: str) -> bool:
    """Whether a word is of a script without spaces (from the CJK radicals on), or of Korean, where endings follow."""
    return any(letter >= "\u2e80" for letter in word)


def may_repeat(node: Node, more: Iterable[str] = ()) -> bool:
    """Whether the rubric's rule 7 allows a second touch: a control that works, can be clicked, neither toggles nor
    sends."""
    toggles = node.role in _TOGGLES or node.has(NodeState.CHECKABLE)
    return node.enabled and node.has(NodeState.CLICKABLE) and not toggles and not destructive_word(node, more)
