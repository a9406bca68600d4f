"""Another meeting from which one takes its terms, and one that is easily taken for it."""

from random import Random

from mpcbench.generate.level4.naming import other_edition
from mpcbench.generate.level4.sampling.setting import Setting
from mpcbench.generate.level4.sampling.terms import Terms
from mpcbench.generate.level4.world.names import PooledName
from mpcbench.schema import Duration, Equipment, Site
from mpcbench.schema.level4.people import Invitation, Named, Required, SamePeople
from mpcbench.schema.level4.statements import (
    DurationOf,
    EquipmentOf,
    Invite,
    Invited,
    LadderStatement,
    Organiser,
    SiteOf,
)

_LENGTHS = (30, 45, 60, 75, 90, 120)
Talk = tuple[str, str, tuple[LadderStatement, ...]]
"""Who says what about which meeting."""


class OtherMeeting:
    """A meeting that has some of another one's terms after its own amendments."""

    def __init__(self, setting: Setting, terms: Terms, pooled: PooledName, rung: int, rng: Random) -> None:
        self.setting = setting
        self.terms = terms
        self.rng = rng
        self.name = str(pooled.name)
        self.said: dict[str, LadderStatement] = {}
        """What the other one is to say in place of its own terms, by the kind of term."""

        self.first: list[LadderStatement] = []
        self.last: list[LadderStatement] = []
        self.plain = [Required(who=Named(person=one)) for one in terms.plainly_required]
        organiser, elsewhere = self._strangers(2)
        self._choose(self._kinds(rung))
        rng.shuffle(self.last)
        cut = rng.randrange(len(self.last)) if self.last else 0
        lookalike = (
            Organiser(person=elsewhere),
            Invited(invitations=self._others()),
            Duration(minutes=rng.choice([one for one in _LENGTHS if one != terms.duration])),
        )
        self.talks: list[Talk] = [
            (organiser, self.name, (Organiser(person=organiser), *self.first)),
            (elsewhere, str(other_edition(pooled.name)), lookalike),
            (organiser, self.name, tuple(self.last[:cut])),
            (organiser, self.name, tuple(self.last[cut:])),
        ]

    def _kinds(self, rung: int) -> list[str]:
        """Which terms it has."""
        kinds = ["duration", *(["people"] if len(self.plain) > 1 else [])]
        kinds += [one.kind for one in self.terms.demands if isinstance(one, Equipment | Site)]
        count = self.rng.choice((1, 2) if rung < 4 else (2, 3))
        return self.rng.sample(kinds, min(len(kinds), count))

    def _choose(self, kinds: list[str]) -> None:
        rng, terms = self.rng, self.terms
        if "people" in kinds:
            self.said["people"] = Invite(invitation=SamePeople(meeting=self.name))
            added = rng.choice(self.plain)
            self.first.append(Invited(invitations=tuple(one for one in self.plain if one != added)))
            self.last.append(Invite(invitation=added))
        else:
            self.first.append(Invited(invitations=self._others()))
        self.first.append(Duration(minutes=rng.choice([one for one in _LENGTHS if one != terms.duration])))
        if "duration" in kinds:
            self.said["duration"] = DurationOf(meeting=self.name)
            self.last.append(Duration(minutes=terms.duration))
        for demand in terms.demands:
            if isinstance(demand, Equipment) and "equipment" in kinds:
                self.said["equipment"] = EquipmentOf(meeting=self.name)
                self.last.append(demand)
            if isinstance(demand, Site) and "site" in kinds:
                self.said["site"] = SiteOf(meeting=self.name)
                self.first.append(Site(site=rng.choice([one for one in self.setting.people_at if one != demand.site])))
                self.last.append(demand)

    def _others(self) -> tuple[Invitation, ...]:
        return tuple(Required(who=Named(person=one)) for one in self._strangers(3))

    def _strangers(self, count: int) -> list[str]:
        found: list[str] = []
        for _ in range(count):
            taken = {*self.terms.plainly_required, *found}
            found.append(self.setting.somebody(self.terms.organiser, taken, self.rng))
        return found
