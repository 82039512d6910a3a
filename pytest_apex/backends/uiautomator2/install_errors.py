"""What Android says when it does not install a package, and the one thing to do."""

from __future__ import annotations

import re

from pytest_apex.backends.uiautomator2.files import storage_full
from pytest_apex.errors import ActionRefused, StorageFull

_CODE = re.compile(r"INSTALL_[A-Z_]+|DELETE_[A-Z_]+")
#: Codes of `android.content.pm.PackageManager`: cause and cure.
_TOLD = {
    "INSTALL_FAILED_UPDATE_INCOMPATIBLE": (
        "the one that is installed was signed with another key",
        "uninstall it first, or install with keep_data=False: its data goes with it",
    ),
    "INSTALL_FAILED_VERSION_DOWNGRADE": (
        "the one that is installed is newer",
        "a newer build, or keep_data=False: its data goes with it",
    ),
    "INSTALL_FAILED_NO_MATCHING_ABIS": (
        "the package has no native code for this phone's processor",
        "build it for the phone's ABI (adb shell getprop ro.product.cpu.abilist)",
    ),
    "INSTALL_FAILED_OLDER_SDK": ("the package needs a newer Android", "a newer phone, or a lower minSdkVersion"),
    "INSTALL_FAILED_DEPRECATED_SDK_VERSION": (
        "the package targets an Android too old for this phone",
        "a higher targetSdkVersion",
    ),
    "INSTALL_FAILED_USER_RESTRICTED": (
        "the phone does not let adb install (Xiaomi: 'Install via USB' is off)",
        "switch 'Install via USB' on in the developer options, and confirm on the phone",
    ),
    "INSTALL_FAILED_VERIFICATION_FAILURE": (
        "Play Protect, or the phone's owner, forbids it",
        "switch 'Verify apps over USB' off in the developer options",
    ),
    "INSTALL_FAILED_TEST_ONLY": ("the package is marked testOnly", "a build without android:testOnly"),
    "INSTALL_FAILED_MISSING_SPLIT": ("it is one part of an app bundle", "an APK made by bundletool --mode=universal"),
    "INSTALL_FAILED_INVALID_APK": ("the file is damaged", "build it anew"),
    "INSTALL_PARSE_FAILED_NO_CERTIFICATES": ("the package is not signed", "sign it: apksigner sign"),
    "INSTALL_PARSE_FAILED_NOT_APK": ("the file is not a package, or cut short", "build it anew"),
    "INSTALL_PARSE_FAILED_MANIFEST_MALFORMED": ("its manifest is not right", "correct it, as told"),
    "DELETE_FAILED_DEVICE_POLICY_MANAGER": (
        "it administers the phone",
        "take that right from it in the phone's settings: Device admin apps",
    ),
}


def refused(what: str, told: str) -> ActionRefused | StorageFull:
    """The error for an installation or removal that Android refused with the words `told`."""
    code, seen = _CODE.search(told), " ".join(told.split())[:500] or "Android said nothing"
    if "INSUFFICIENT_STORAGE" in told or "No space left" in told:
        return storage_full(what, seen)
    likely, cure = _TOLD.get(code[0] if code else "", ("see what Android says", "correct what it names"))
    return ActionRefused(what, seen=seen, likely=likely, cure=cure)
