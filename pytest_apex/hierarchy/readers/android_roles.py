"""Which role an Android class plays: the widgets of the platform, AppCompat and Material, and what Compose, Flutter and
React Native call their controls for accessibility."""

from __future__ import annotations

from functools import lru_cache

#: Simple names (after the last `.` or `$`) that the endings below would misread, or do not know.
_NAMES = {
    "View": "other",
    "ViewGroup": "group",
    "Key": "key",
    "Tab": "tab",
    "TabView": "tab",
    "BottomNavigationItemView": "tab",
    "NavigationBarItemView": "tab",
    "TabLayout": "tab_bar",
    "TabWidget": "tab_bar",
    "BottomNavigationView": "tab_bar",
    "NavigationBarView": "tab_bar",
    "SearchAutoComplete": "text_field",
    "DropDownListView": "menu",
    "MenuPopupWindow": "menu",
    "PopupMenu": "menu",
    "ActionMenuItemView": "button",
    "OverflowMenuButton": "button",
    "AlertDialog": "dialog",
    "Dialog": "dialog",
    "BottomSheetDialog": "sheet",
    "Toast": "toast",
    "KeyboardView": "keyboard",
    "SoftInputWindow": "keyboard",
    "Chronometer": "text",
    "TextClock": "text",
    "DigitalClock": "text",
    "AnalogClock": "image",
    "RadioGroup": "group",
    "ChipGroup": "group",
    "CalendarView": "picker",
    "RatingBar": "slider",
    "ActionBarContainer": "toolbar",
}  # fmt: skip

#: Endings of simple names, the first that fits decides. Apps derive from the platform's widgets and keep the ending
#: (`AppCompatTextView`, `ReactEditText`, `SeekBar3`).
_ENDINGS = (
    ("EditText", "text_field"),
    ("AutoCompleteTextView", "text_field"),
    ("TextView", "text"),
    ("RadioButton", "radio"),
    ("ToggleButton", "switch"),
    ("Button", "button"),
    ("Chip", "button"),
    ("CheckBox", "checkbox"),
    ("Switch", "switch"),
    ("SwitchCompat", "switch"),
    ("SwitchMaterial", "switch"),
    ("SeekBar", "slider"),
    ("Slider", "slider"),
    ("ProgressBar", "progress"),
    ("ProgressIndicator", "progress"),
    ("ImageView", "image"),
    ("Spinner", "picker"),
    ("Picker", "picker"),
    ("RecyclerView", "list"),
    ("ListView", "list"),
    ("GridView", "list"),
    ("ScrollView", "scroll"),
    ("ViewPager", "scroll"),
    ("WebView", "web"),
    ("VideoView", "video"),
    ("PlayerView", "video"),
    ("MapView", "map"),
    ("CardView", "card"),
    ("MenuItemView", "menu_item"),
    ("Toolbar", "toolbar"),
    ("Layout", "group"),
)

#: Classes whose content changes by itself.
LIVE_NAMES = frozenset({"Chronometer", "TextClock", "DigitalClock", "AnalogClock"})
#: Roles that say nothing of what a control is for; other attributes do.
GENERIC = frozenset({"other", "group"})


def simple_name(class_name: str) -> str:
    """`android.app.ActionBar$Tab` → `Tab`."""
    return class_name.rpartition(".")[2].rpartition("$")[2]


@lru_cache(maxsize=4096)
def role_of(class_name: str) -> str:
    """The role of a class; `other` for one that says nothing."""
    name = simple_name(class_name)
    if name in _NAMES:
        return _NAMES[name]
    name = name.rstrip("0123456789")
    return next((role for ending, role in _ENDINGS if name.endswith(ending)), "other")
