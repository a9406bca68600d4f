"""What people, teams, rooms and meetings of the office are called; no name is part of another kind's name."""

from functools import cache
from random import Random
from typing import Final, NamedTuple

from mpcbench.generate.randomness import stream
from mpcbench.generate.wording.meeting_names import KINDS, PROJECTS, SUBJECTS
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

MINERALS: Final = (
    "Agate", "Amethyst", "Basalt", "Beryl", "Calcite", "Chalk", "Cobalt", "Dolomite", "Feldspar", "Flint", "Fluorite",
    "Garnet", "Gneiss", "Granite", "Graphite", "Jasper", "Limestone", "Malachite", "Marble", "Obsidian", "Olivine",
    "Onyx", "Opal", "Peridot", "Porphyry", "Pumice", "Pyrite", "Quartz", "Sandstone", "Selenite", "Serpentine",
    "Slate", "Talc", "Topaz", "Tourmaline", "Travertine", "Zircon",
)
"""Projects of the office's own meetings; the first ones have a project team."""

PROJECT_TEAMS: Final = 14

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
_CODES: Final = 900


class PooledName(NamedTuple):
    """A meeting or plan that an instance may use, and what it may be called for short."""

    name: str
    nickname: str
    """Two words, such as "velvet ladder"; to be used with the definite article."""

    code: str
    """A short code, such as "KVB-417"."""


@cache
def meeting_names(seed: int) -> tuple[PooledName, ...]:
    """The names that instances take from, each for one meeting: no office of the seed uses any of them.

    Projects and subjects of neighbours in the pool differ, but each project and each subject recurs, so that names
    resemble one another.
    """
    rng = stream(seed, 4, "meeting names")
    pairs = [(project, subject) for project in PROJECTS for subject in SUBJECTS]
    rng.shuffle(pairs)
    nicknames = [f"{colour} {thing}" for colour in _COLOURS for thing in _THINGS]
    rng.shuffle(nicknames)
    codes = _codes("BDFGHJKL", len(pairs), rng)
    return tuple(
        PooledName(f"{project} {subject} {rng.choice(KINDS)}", nickname, code)
        for (project, subject), nickname, code in zip(pairs, nicknames, codes, strict=False)
    )


def own_meetings(rng: Random) -> list[PooledName]:
    """The names of the office's own meetings, which resemble those of instances; shuffled."""
    pairs = [(project, subject) for project in MINERALS for subject in SUBJECTS]
    rng.shuffle(pairs)
    codes = _codes("MNPQRSTV", len(pairs), rng)
    nicknames = [f"{first} and {second}" for first in _THINGS for second in _THINGS if first != second]
    rng.shuffle(nicknames)
    return [
        PooledName(f"{project} {subject} {rng.choice(KINDS)}", nickname, code)
        for (project, subject), nickname, code in zip(pairs, nicknames, codes, strict=False)
    ]


def people_names(count: int, rng: Random) -> list[tuple[str, str]]:
    """So many full names, all different; first names and family names recur."""
    pairs = [(first, last) for first in FIRST_NAMES for last in LAST_NAMES]
    return rng.sample(pairs, count)


def _codes(letters: str, count: int, rng: Random) -> list[str]:
    """Codes of three of these letters and a number, in an order that tells nothing."""
    return [
        "".join(rng.choice(letters) for _ in range(3)) + f"-{number:04d}"
        for number in rng.sample(range(1000, 1000 + count + _CODES), count)
    ]
