"""Misreadings of rules: which policies apply, in which zone they hold, and which notices are in force."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta, timezone, tzinfo
from functools import partial

from mpcbench.oracle.interval import to_datetime
from mpcbench.oracle.level4.knowledge import Knowledge, Posted
from mpcbench.oracle.level4.misreadings.slip import Misreading, Slip
from mpcbench.oracle.level4.touched import Touched
from mpcbench.schema import Window
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.level4.policy import Policy, Scope
from mpcbench.schema.level4.statements import Said
from mpcbench.schema.level4.world import policy_record
from mpcbench.schema.model import to_minutes

_FAR = timedelta(days=365)
Replacements = dict[str, Policy | None]
"""Editions by record; None: without it."""


def with_policies(wrong: Replacements) -> Callable[[Knowledge], Knowledge]:
    """The function that takes editions for others, or loses them."""

    def apply(known: Knowledge) -> Knowledge:
        found = (wrong.get(policy_record(policy), policy) for policy in known.policies)
        return replace(known, policies=tuple(policy for policy in found if policy is not None))

    return apply


def _all_apply(knowledge: Knowledge, _: Touched) -> Iterator[Slip]:
    for policy in knowledge.policies:
        if policy.scope != Scope():
            record = policy_record(policy)
            yield Slip(record, record, with_policies({record: policy.model_copy(update={"scope": Scope()})}))


def _exemptions_ignored(knowledge: Knowledge, _: Touched) -> Iterator[Slip]:
    for policy in knowledge.policies:
        if policy.exemptions:
            record = policy_record(policy)
            yield Slip(record, record, with_policies({record: policy.model_copy(update={"exemptions": ()})}))


def _editions(knowledge: Knowledge) -> Iterator[list[Policy]]:
    """The editions of each policy, the newest last."""
    by_id: dict[str, list[Policy]] = {}
    for policy in knowledge.policies:
        by_id.setdefault(policy.policy_id, []).append(policy)
    for editions in by_id.values():
        yield sorted(editions, key=lambda one: (one.first is not None, one.first, one.edition))


def _superseded_edition(knowledge: Knowledge, _: Touched) -> Iterator[Slip]:
    for editions in _editions(knowledge):
        if len(editions) > 1:
            yield Slip(
                policy_record(editions[-1]),
                editions[-1].policy_id,
                with_policies({policy_record(editions[-1]): None}),
            )


def _dates_ignored(knowledge: Knowledge, _: Touched) -> Iterator[Slip]:
    for *older, newest in _editions(knowledge):
        if newest.first is not None or newest.last is not None:
            wrong: Replacements = {policy_record(one): None for one in older}
            wrong[policy_record(newest)] = newest.model_copy(update={"first": None, "last": None})
            yield Slip(policy_record(newest), newest.policy_id, with_policies(wrong))


def _sites(knowledge: Knowledge, found: Touched) -> list[str]:
    """The sites that can matter: those of people who may take part, and of rooms."""
    sites = {knowledge.people[person].site for person in found.people if person in knowledge.people}
    sites |= {room.site for room in knowledge.rooms}
    return sorted(sites & knowledge.sites.keys())


def _in_zone(site: str, zone: tzinfo) -> Callable[[Knowledge], Knowledge]:
    def apply(known: Knowledge) -> Knowledge:
        return replace(known, sites={**known.sites, site: known.sites[site]._replace(zone=zone)})

    return apply


def _one_zone(knowledge: Knowledge, found: Touched) -> Iterator[Slip]:
    for site in _sites(knowledge, found):
        if knowledge.sites[site].zone != knowledge.zone:
            yield Slip(site, site, _in_zone(site, knowledge.zone))


def _offset_of_another_date(knowledge: Knowledge, found: Touched) -> Iterator[Slip]:
    for site in _sites(knowledge, found):
        offsets: dict[timedelta, None] = {}
        for instant in _moments(found):
            offsets[to_datetime(instant, knowledge.sites[site].zone).utcoffset() or timedelta()] = None
        for offset in offsets if len(offsets) > 1 else ():
            yield Slip(f"{site} at {timezone(offset)}", site, _in_zone(site, timezone(offset)))


def _moments(found: Touched) -> Iterator[int]:
    """Times whose offset may be taken for that of a candidate: the first message's, a window's start and end."""
    yield from sorted(line.sent for line in found.lines if line.thread)[:1]
    for line in found.lines:
        if isinstance(line.tag, Said) and isinstance(line.tag.statement, Window):
            yield from (to_minutes(line.tag.statement.start), to_minutes(line.tag.statement.end))


def _one_country(knowledge: Knowledge, found: Touched) -> Iterator[Slip]:
    home = [place.country for place in knowledge.sites.values() if place.zone == knowledge.zone][:1]
    for country in home:
        for site in _sites(knowledge, found):
            if knowledge.sites[site].country != country:
                yield Slip(site, site, partial(_in_country, site, country))


def _in_country(site: str, country: str, knowledge: Knowledge) -> Knowledge:
    return replace(knowledge, sites={**knowledge.sites, site: knowledge.sites[site]._replace(country=country)})


def _notices(way: str, change: Callable[[Posted], Posted | None]) -> Misreading:
    """The misreading that takes notices for others, or misses them."""

    def slips(knowledge: Knowledge, _: Touched) -> Iterator[Slip]:
        for posted in knowledge.notices:
            wrong = change(posted)
            if wrong != posted:
                name = posted.notice.notice_id
                yield Slip(name, name, partial(with_notice, name, wrong))

    def at_once(knowledge: Knowledge, _: Touched) -> Knowledge | None:
        found = tuple(wrong for posted in knowledge.notices if (wrong := change(posted)) is not None)
        return None if found == knowledge.notices else replace(knowledge, notices=found)

    return Misreading(Mechanism.NOTICES, way, slips, at_once)


def with_notice(notice_id: str, wrong: Posted | None, knowledge: Knowledge) -> Knowledge:
    """The knowledge of somebody who takes a notice for another, or has not read it."""
    found = (wrong if one.notice.notice_id == notice_id else one for one in knowledge.notices)
    return replace(knowledge, notices=tuple(one for one in found if one is not None))


def _not_replacing(posted: Posted) -> Posted:
    return posted._replace(notice=posted.notice.model_copy(update={"replaces": None}))


def _never_ending(posted: Posted) -> Posted:
    effects = tuple(effect.model_copy(update={"end": effect.end + _FAR}) for effect in posted.notice.effects)
    return posted._replace(notice=posted.notice.model_copy(update={"effects": effects}))


RULES = (
    Misreading(Mechanism.SCOPE, "all_apply", _all_apply),
    Misreading(Mechanism.SCOPE, "exemptions_ignored", _exemptions_ignored),
    Misreading(Mechanism.SCOPE, "superseded_edition", _superseded_edition),
    Misreading(Mechanism.SCOPE, "dates_ignored", _dates_ignored),
    Misreading(Mechanism.ZONES, "one_zone", _one_zone),
    Misreading(Mechanism.ZONES, "offset_of_another_date", _offset_of_another_date),
    Misreading(Mechanism.ZONES, "one_country", _one_country),
    _notices("ignored", lambda _: None),
    _notices("replaced_obeyed", _not_replacing),
    _notices("expired_obeyed", _never_ending),
)
