"""What the phone says of itself: properties (`getprop`) and settings (`settings get`)."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_apex.phone.platforms import Platform

#: API levels by Android version (developer.android.com, "API levels").
_SDK = {"12": 31, "13": 33, "14": 34, "15": 35, "16": 36}


def sdk(platform: Platform) -> int:
    return _SDK.get(platform.os_version, 36)


def properties(platform: Platform, serial: str) -> Mapping[str, str]:
    name, version = platform.model.replace(" ", "_").lower(), platform.os_version
    return {
        "ro.product.name": name,
        "ro.product.model": platform.model,
        "ro.product.device": name,
        "ro.product.brand": "Apex",
        "ro.product.manufacturer": "Apex",
        "ro.product.cpu.abi": "arm64-v8a",
        "ro.product.cpu.abilist": "arm64-v8a",
        "ro.product.locale": "en-US",
        "ro.build.version.sdk": str(sdk(platform)),
        "ro.build.version.release": version,
        "ro.build.version.codename": "REL",
        "ro.build.version.security_patch": "2026-03-05",
        "ro.build.id": "APEX1.260302",
        "ro.build.type": "user",
        "ro.build.tags": "release-keys",
        "ro.build.characteristics": "default",
        "ro.build.fingerprint": f"Apex/{name}/{name}:{version}/APEX1.260302/1:user/release-keys",
        "ro.serialno": serial,
        "ro.boot.serialno": serial,
        "ro.debuggable": "0",
        "ro.secure": "1",
        "ro.hardware": "apex",
        "ro.crypto.state": "encrypted",
        "sys.boot_completed": "1",
        "dev.bootcomplete": "1",
        "init.svc.bootanim": "stopped",
        "init.svc.adbd": "running",
        "persist.sys.locale": "en-US",
        "persist.sys.timezone": "UTC",
        "gsm.sim.state": "ABSENT",
        "service.adb.tcp.port": "5555",
    }


def default_settings() -> dict[str, dict[str, str]]:
    """By namespace, as a new phone in developer mode has them."""
    return {
        "global": {
            "adb_enabled": "1",
            "development_settings_enabled": "1",
            "airplane_mode_on": "0",
            "wifi_on": "1",
            "mobile_data": "1",
            "window_animation_scale": "1.0",
            "transition_animation_scale": "1.0",
            "animator_duration_scale": "1.0",
            "stay_on_while_plugged_in": "0",
            "device_name": "Virtual phone",
        },
        "system": {
            "screen_brightness": "128",
            "screen_brightness_mode": "0",
            "screen_off_timeout": "600000",
            "accelerometer_rotation": "0",
            "user_rotation": "0",
            "font_scale": "1.0",
            "pointer_location": "0",
            "show_touches": "0",
        },
        "secure": {
            "android_id": "1f0a5c3e9b7d2468",
            "enabled_accessibility_services": "",
            "ui_night_mode": "1",
            "lockscreen.disabled": "1",
            "long_press_timeout": "400",
        },
    }
