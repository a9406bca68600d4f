"""The names of meetings: a project, a subject and a kind, as in "Falcon pricing review"."""

from functools import cache
from random import Random
from typing import Final, NamedTuple

# fmt: off
PROJECTS: Final = (
    "Albatross", "Anemone", "Antelope", "Badger", "Bison", "Bobcat", "Buzzard", "Caribou", "Cicada", "Cobra", "Condor",
    "Cormorant", "Cougar", "Coyote", "Crane", "Curlew", "Dingo", "Dolphin", "Dragonfly", "Egret", "Ermine", "Falcon",
    "Finch", "Flamingo", "Gannet", "Gazelle", "Gecko", "Goshawk", "Grouse", "Harrier", "Hawk", "Heron", "Hornet",
    "Ibex", "Ibis", "Iguana", "Jackal", "Jaguar", "Kingfisher", "Lapwing", "Lemur", "Leopard", "Lynx", "Mallard",
    "Mantis", "Marlin", "Marmot", "Merlin", "Mongoose", "Narwhal", "Nuthatch", "Ocelot", "Osprey", "Otter", "Panther",
    "Pelican", "Petrel", "Plover", "Porpoise", "Puffin", "Puma", "Raven", "Salamander", "Sandpiper", "Seal", "Serval",
    "Skylark", "Squid", "Starling", "Stork", "Sturgeon", "Swift", "Tapir", "Tern", "Toucan", "Viper", "Walrus",
    "Warbler", "Wolverine", "Wombat",
)
SUBJECTS: Final = (
    "accessibility", "advertising", "analytics", "archive", "auditing", "automation", "backup", "benchmark", "billing",
    "branding", "budget", "campaign", "catalogue", "certification", "compliance", "contract", "coverage", "dashboard",
    "database", "delivery", "discount", "documentation", "energy", "export", "feedback", "forecast", "franchise",
    "gateway", "hiring", "hosting", "import", "insurance", "integration", "interface", "inventory", "invoicing",
    "launch", "licensing", "localisation", "logistics", "loyalty", "maintenance", "metrics", "migration", "monitoring",
    "naming", "newsletter", "onboarding", "outsourcing", "packaging", "partnership", "payments", "performance",
    "pricing", "privacy", "procurement", "prototype", "quality", "recruiting", "recycling", "refund", "relocation",
    "reporting", "research", "returns", "roadmap", "safety", "sampling", "security", "shipping", "sponsorship",
    "supplier", "sustainability", "tooling", "training", "translation", "vendor", "warehouse", "warranty", "website",
)
KINDS: Final = (
    "review", "workshop", "sync", "briefing", "retrospective", "checkpoint", "discussion", "walkthrough", "deep dive",
    "round table", "handover", "decision meeting", "working session", "planning session", "debrief", "brainstorming",
    "status meeting", "catch-up", "demo", "dry run", "strategy session", "stocktake", "steering meeting", "huddle",
)
# fmt: on

MEETING_NAMES: Final = len(PROJECTS) * len(SUBJECTS)
"""The number of meeting names of a seed."""


class MeetingName(NamedTuple):
    """The parts of a meeting's name."""

    project: str
    subject: str
    kind: str

    def __str__(self) -> str:
        return f"{self.project} {self.subject} {self.kind}"


def meeting_name(index: int, seed: int, venues: int) -> tuple[MeetingName, int]:
    """The name of a meeting, and the number of the venue where it is announced, from 0 to `venues` - 1.

    No two meetings of a seed share both project and subject, and none of `len(KINDS) * venues` consecutive ones share
    both kind and venue. So people can refer to a meeting by less than its name. No name is part of another.

    Raises:
        IndexError: there is no such name.
    """
    if not 0 <= index < MEETING_NAMES:
        raise IndexError(f"meeting index {index} is not from 0 to {MEETING_NAMES - 1}")
    pairs, places = _shuffled(seed, venues)
    project, subject = divmod(pairs[index], len(SUBJECTS))
    venue, kind = divmod(places[index % len(places)], len(KINDS))
    return MeetingName(PROJECTS[project], SUBJECTS[subject], KINDS[kind]), venue


@cache
def _shuffled(seed: int, venues: int) -> tuple[list[int], list[int]]:
    rng = Random(seed)  # noqa: S311 - not for secrets
    places = len(KINDS) * venues
    return rng.sample(range(MEETING_NAMES), MEETING_NAMES), rng.sample(range(places), places)
