"""What people, teams, rooms and meetings of the office are called; no name is part of another kind's name."""

from functools import cache
from random import Random
from typing import Final, NamedTuple

from mpcbench.generate.level4.naming import name_of
from mpcbench.generate.randomness import stream
from mpcbench.generate.wording.meeting_names import MEETING_NAMES, MeetingName
from mpcbench.generate.wording.vocabulary import FIRST_NAMES, LAST_NAMES, ROOM_NAMES

# fmt: off
LINE_TEAMS: Final = (
    "Accounting", "Applied Research", "Brand", "Business Analytics", "Cloud Platform", "Commercial Law",
    "Communications", "Controlling", "Customer Care", "Data Engineering", "Digital Sales", "Field Service",
    "Fleet", "Industrial Design", "Information Security", "Internal Audit", "Key Accounts", "Laboratory",
    "Learning and Development", "Market Insight", "Mobile Apps", "Order Management", "Payroll", "People Partners",
    "Process Excellence", "Product Management", "Property Services", "Purchasing", "Test Engineering", "Treasury",
)
"""Teams of the line, as many as there are in an office."""

PROJECT_TEAMS: Final = (
    "Agate", "Basalt", "Calcite", "Dolomite", "Flint", "Garnet", "Jasper", "Malachite", "Obsidian", "Onyx", "Quartz",
    "Slate", "Topaz", "Zircon",
)
"""What projects with a team of their own are called."""

_MORE_ROOMS: Final = (
    "Adriatic", "Aegean", "Amazon", "Arno", "Baltic", "Bosporus", "Caspian", "Clyde", "Danube", "Douro", "Ebro", "Elbe",
    "Ganges", "Garonne", "Hudson", "Ionian", "Jordan", "Kalahari", "Limpopo", "Loire", "Mekong", "Meuse", "Mosel",
    "Niger", "Nile", "Oder", "Orinoco", "Pacific", "Po", "Rhine", "Rhone", "Seine", "Severn", "Shannon", "Tagus",
    "Thames", "Tiber", "Tigris", "Vistula", "Volga", "Yukon", "Zambezi",
)

_COLOURS: Final = (
    "amber", "ashen", "azure", "beige", "blazing", "bold", "brass", "bright", "bronze", "calm", "candid", "cheerful",
    "copper", "coral", "crimson", "crisp", "curious", "dapper", "distant", "dusky", "eager", "early", "ebon", "emerald",
    "faded", "fluent", "frosted", "gentle", "gilded", "glassy", "golden", "grand", "hazy", "hidden", "honest", "humble",
    "idle", "indigo", "ivory", "jolly", "keen", "khaki", "lavish", "lilac", "lively", "lofty", "lucid", "lunar",
    "maroon", "mellow", "misty", "mossy", "nimble", "noble", "ochre", "pale", "patient", "polar", "proud", "purple",
    "quiet", "rapid", "rosy", "royal", "russet", "rustic", "scarlet", "secret", "silent", "silver", "snowy", "solar",
    "steady", "sunny", "tawny", "tidy", "velvet", "vivid", "wandering", "winding",
)
_THINGS: Final = (
    "anchor", "anvil", "arrow", "balcony", "banjo", "barrel", "basket", "beacon", "bell", "bonnet", "bottle", "bridge",
    "bucket", "button", "candle", "canoe", "carpet", "castle", "cellar", "chimney", "clarinet", "cloak", "compass",
    "cradle", "crown", "cupboard", "curtain", "drum", "easel", "feather", "fiddle", "fountain", "garland", "gate",
    "goblet", "hammer", "harp", "helmet", "hinge", "jigsaw", "kettle", "kite", "ladder", "lantern", "lattice", "lever",
    "locket", "mantle", "marquee", "mirror", "needle", "oar", "organ", "paddle", "parasol", "pebble", "pennant",
    "piano", "pillow", "pitcher", "pulley", "quill", "rudder", "saddle", "sail", "satchel", "scarf", "sledge",
    "spindle", "stirrup", "tapestry", "teapot", "thimble", "torch", "trumpet", "tunnel", "umbrella", "violin", "wagon",
    "whistle",
)
# fmt: on

ROOMS: Final = (*ROOM_NAMES, *_MORE_ROOMS)
_LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"


class PooledName(NamedTuple):
    """What a meeting or plan is called, in full and for short; each name has one meaning in a world."""

    name: MeetingName
    nickname: str
    """Two words, such as "velvet ladder"; to be used with the definite article."""

    code: str
    """A short code, such as "KVB-4174"."""


@cache
def meeting_names(seed: int) -> tuple[PooledName, ...]:
    """The names of all meetings and plans of a seed by place, as `naming.name_of` counts them.

    Those from `naming.OFFICE_NAMES` on are for the office's own meetings, so nothing tells theirs from instances'.
    """
    rng = stream(seed, 4, "short names")
    nicknames = [f"{colour} {thing}" for colour in _COLOURS for thing in _THINGS]
    rng.shuffle(nicknames)
    numbers = rng.sample(range(1000, 1000 + MEETING_NAMES), MEETING_NAMES)
    return tuple(
        PooledName(
            name_of(seed, place),
            nicknames[place],
            f"{''.join(rng.choice(_LETTERS) for _ in range(3))}-{numbers[place]}",
        )
        for place in range(MEETING_NAMES)
    )


def people_names(count: int, rng: Random) -> list[tuple[str, str]]:
    """So many full names, all different; first names and family names recur."""
    pairs = [(first, last) for first in FIRST_NAMES for last in LAST_NAMES]
    return rng.sample(pairs, count)
