"""Calls that look: the device, its windows, its picture; and those that turn, wake and set it."""

from __future__ import annotations

import base64
from typing import Any

from pytest_apex.phone_wires.settings_store import sdk
from pytest_apex.phone_wires.uiautomator.calls import Context, RpcError, WrongParameters, call, real, whole
from pytest_apex.phone_wires.uiautomator.dump import MAX_DEPTH, dump
from pytest_apex.vision.jpeg import to_jpeg

#: How long accessibility waits for an app that does not answer (AOSP: AccessibilityInteractionClient, 5 s).
MUTE_S = 5.0
#: `Surface.ROTATION_*` by orientation, and what `setOrientation` calls it. Upside down the server leaves out.
ROTATIONS = {"portrait": 0, "landscape_left": 1, "portrait_upside_down": 2, "landscape_right": 3}
_NAMES = {"natural": "portrait", "n": "portrait", "left": "landscape_left", "l": "landscape_left",
          "right": "landscape_right", "r": "landscape_right"}  # fmt: skip


@call("ping")
def ping(_context: Context) -> str:
    return "pong"


@call("deviceInfo")
def device_info(context: Context) -> dict[str, Any]:
    with context.handset.pace.held() as phone:
        screen, rotation = phone.screen(), ROTATIONS[phone.orientation]
        width, height = round(screen.size.width), round(screen.size.height)
        return {
            "currentPackageName": phone.in_front().id,
            "displayHeight": height,
            "displayRotation": rotation,
            "displaySizeDpX": round(width / screen.density),
            "displaySizeDpY": round(height / screen.density),
            "displayWidth": width,
            "productName": context.handset.properties["ro.product.name"],
            "screenOn": context.handset.awake,
            "sdkInt": sdk(phone.platform),
            "naturalOrientation": rotation in (0, 2),
        }


@call("dumpWindowHierarchy")
def dump_windows(context: Context, _compressed: Any = False, depth: Any = MAX_DEPTH, active: Any = False) -> str:
    handset, depth_limit = context.handset, max(0, whole(depth))
    handset.pace.idle(handset.server.idle_limit_s)
    if context.ask(lambda phone: phone.mute):
        handset.pace.sleep(MUTE_S)
    return context.ask(lambda phone: dump(phone, depth_limit, active_only=active is True, locked=bool(handset.lock)))


@call("takeScreenshot")
def take_screenshot(context: Context, scale: Any = 1, quality: Any = 80, *more: Any) -> str:
    """JPEG in base64."""
    if more or isinstance(scale, str):
        raise WrongParameters("files of the server are out of reach")
    size = real(scale)
    if not 0.01 <= size <= 2:
        raise WrongParameters("scale")
    return base64.b64encode(to_jpeg(context.handset.picture(), whole(quality), size)).decode()


@call("setOrientation")
def set_orientation(context: Context, name: Any) -> None:
    wanted = _NAMES.get(str(name).lower())
    if wanted is not None:
        context.handset.pace.do(lambda phone: phone.rotate(wanted))


@call("freezeRotation")
def freeze_rotation(context: Context, freeze: Any = True) -> None:
    context.handset.settings["system"]["accelerometer_rotation"] = "0" if freeze else "1"


@call("wakeUp")
def wake_up(context: Context) -> None:
    context.handset.wake(True)


@call("sleep")
def sleep(context: Context) -> None:
    context.handset.wake(False)


@call("isScreenOn")
def is_screen_on(context: Context) -> bool:
    return context.handset.awake


@call("openNotification")
def open_notification(context: Context) -> bool:
    context.ask(lambda phone: phone.machine.open_shade(True))
    return True


@call("openQuickSettings")
def open_quick_settings(context: Context) -> bool:
    return open_notification(context)


@call("waitForIdle")
def wait_for_idle(context: Context, timeout: Any = 10_000) -> None:
    context.handset.pace.idle(whole(timeout) / 1000)


@call("waitForWindowUpdate")
def wait_for_window_update(context: Context, _package: Any, timeout: Any) -> bool:
    pace = context.handset.pace
    before = context.ask(lambda phone: phone.scene())
    return pace.wait(lambda phone: phone.scene() is not before, min(60.0, whole(timeout) / 1000), context.gone)


@call("getConfigurator")
def get_configurator(context: Context) -> dict[str, int]:
    return {
        "actionAcknowledgmentTimeout": 500,
        "keyInjectionDelay": 0,
        "scrollAcknowledgmentTimeout": 200,
        "waitForIdleTimeout": round(context.handset.server.idle_limit_s * 1000),
        "waitForSelectorTimeout": 0,
    }


@call("setConfigurator")
def set_configurator(context: Context, info: Any) -> dict[str, int]:
    if not isinstance(info, dict):
        raise WrongParameters("ConfiguratorInfo")
    limit = whole(info.get("waitForIdleTimeout", 0)) / 1000
    context.handset.server.idle_limit_s = max(0.0, min(60.0, limit))
    return get_configurator(context)


# Clipboard and toasts


@call("setClipboard")
def set_clipboard(context: Context, _label: Any, text: Any) -> None:
    with context.handset.pace.held() as phone:
        phone.machine.clipboard = str(text or "")


@call("getClipboard")
def get_clipboard(context: Context) -> str | None:
    return context.ask(lambda phone: phone.machine.clipboard) or None


@call("pasteClipboard")
def paste_clipboard(context: Context) -> bool:
    return context.ask(lambda phone: phone.edit_text(lambda text: text + phone.machine.clipboard))


@call("clearInputText")
def clear_input_text(context: Context) -> bool:
    return context.ask(lambda phone: phone.edit_text(lambda _text: ""))


@call("getLastToast")
def get_last_toast(context: Context, *_cache: Any) -> str | None:
    with context.handset.pace.held() as phone:
        since = context.handset.server.toasts_since
        shown = [toast for toast in phone.machine.shade.toasts if toast.at >= since]
        return shown[-1].text if shown else context.handset.server.toast


@call("clearLastToast")
def clear_last_toast(context: Context) -> bool:
    with context.handset.pace.held() as phone:
        # A moment later than now: what came up in this very moment is cleared too.
        context.handset.server.toasts_since = phone.clock.now() + 1e-6
        context.handset.server.toast = None
    return True


@call("makeToast")
def make_toast(context: Context, text: Any, _duration: Any = 1000) -> bool:
    context.handset.server.toast = str(text)
    return True


@call("setToastListener")
def set_toast_listener(context: Context, enabled: Any = True) -> None:
    """The listener is always on."""


@call("playSound")
def play_sound(_context: Context, _path: Any) -> bool:
    raise RpcError("com.wetest.uia2.exceptions.NotImplementedException", "playSound")
