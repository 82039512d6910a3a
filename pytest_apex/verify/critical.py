"""What no test does by accident, whatever the app: the guard's list for all apps. Each needs both leaves.

Kept short: only what harms the device or somebody's money, and what lies outside of the app under test, where no manual
speaks. What an app does inside its own windows is for its manual to list.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from pytest_apex.hierarchy.around import touchable
from pytest_apex.model.manual import Tier
from pytest_apex.model.node import Node
from pytest_apex.verify.guard import own_words
from pytest_apex.verify.irreversible import Listed

#: Held so long, the power key is no more a way to the power menu (Android opens it after half a second); phones switch
#: themselves off or restart from about 7 s on, whatever runs on them.
POWER_HOLD_MS = 4000
#: The button of Android's own dialogs that agrees (`AlertDialog.BUTTON_POSITIVE`, resource id `android:id/button1`).
_AGREES = "android:id/button1"


@dataclass(frozen=True, slots=True)
class Critical:
    """One act: `words` on a control (in any case) in a window of one of `apps` (patterns); `why` it is in the list.
    `whole`: nothing else stands on the control."""

    name: str
    why: str
    apps: tuple[str, ...]
    words: tuple[str, ...]
    whole: bool = False


CRITICAL = (
    Critical(
        "system:power-off",
        "a device that is off, or starts anew, is lost to the run",
        ("android", "com.android.systemui", "com.apple.springboard"),
        ("power off", "shut down", "restart", "reboot", "slide to power off", "关机", "重启", "重新启动", "關機",
         "重新啟動", "ausschalten", "éteindre", "redémarrer", "apagar", "reiniciar", "電源を切る", "再起動",
         "전원 끄기", "выключить"),
        whole=True,
    ),
    Critical(
        "system:erase",
        "all data of the device is gone for good",
        ("com.android.settings", "com.google.android.settings*", "com.apple.preferences", "com.apple.springboard"),
        ("erase all data", "factory reset", "factory data reset", "delete all data", "erase everything",
         "erase all content and settings", "erase iphone", "erase ipad", "reset phone", "reset all settings",
         "恢复出厂设置", "清除所有数据", "抹掉所有内容和设置", "還原原廠設定", "清除所有資料", "alle daten löschen",
         "auf werkseinstellungen", "effacer toutes les données", "borrar todos los datos", "初期化", "초기화"),
    ),
    Critical(
        "system:uninstall",
        "the app under test, with its data and sign-in, may be what goes",
        ("com.android.settings", "*.packageinstaller", "com.android.vending", "*launcher*", "com.apple.springboard",
         "com.apple.preferences"),
        ("uninstall", "delete app", "remove app", "offload app", "卸载", "移除app", "删除app", "解除安裝", "移除 app",
         "deinstallieren", "désinstaller", "desinstalar", "アンインストール", "appを削除", "제거", "удалить"),
    ),
    Critical(
        "system:pay",
        "a payment sheet of the platform charges a real account",
        ("com.android.vending", "com.google.android.gms", "com.apple.passbookuiservice",
         "com.apple.ios.storekituiservice", "com.eg.android.alipaygphone", "com.samsung.android.spay"),
        ("pay", "buy", "1-tap buy", "purchase", "subscribe", "double click to pay", "支付", "付款", "购买", "订阅",
         "購買", "訂閱", "kaufen", "bezahlen", "acheter", "payer", "comprar", "pagar", "購入", "支払", "결제", "купить",
         "оплатить"),
    ),
)  # fmt: skip


def critical_here(nodes: Sequence[Node], keys: Sequence[tuple[str, ...]] = (), hold_ms: int = 0) -> tuple[Listed, ...]:
    """What of the list an act on these controls, or by these keys held so long, is."""
    found = [Listed(item.name, Tier.CRITICAL, item.why, nodes=(node,)) for item in CRITICAL for node in nodes
             if _is(item, node)]  # fmt: skip
    if ("power",) in keys and hold_ms >= POWER_HOLD_MS:
        found.append(Listed(CRITICAL[0].name, Tier.CRITICAL, CRITICAL[0].why, keys=("power",)))
    return tuple({item.name: item for item in found}.values())


def _is(item: Critical, node: Node) -> bool:
    app = node.window.app.casefold()
    if not any(fnmatchcase(app, pattern) for pattern in item.apps):
        return False
    control = touchable(node)
    if any(_says(item, name) for name in own_words(node)):
        return True
    tree = node.tree
    if _AGREES not in (control.identifier, node.identifier):
        return False
    window = tree.window_of[node.index]
    return any(_says(item, tree.texts[at]) for at in range(len(tree)) if tree.window_of[at] == window)


def _says(item: Critical, name: str) -> bool:
    text = " ".join(name.casefold().split())
    if item.whole:
        return text in item.words
    return any(_holds(text, word) for word in item.words) if text else False


def _holds(text: str, word: str) -> bool:
    if word[0] >= "\u2e80":  # a script without spaces between words
        return word in text
    return bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text))
