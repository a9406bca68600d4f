"""The ways in which an agent that lacks something can guess; each parameter is the best one on another data set."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, Final

from mpcbench.benchmark.agents.baselines.options import Case, hit
from mpcbench.benchmark.agents.baselines.prior import learned, most_likely, most_likely_run
from mpcbench.benchmark.agents.baselines.without import (
    Missing,
    most_unlike,
    that_look_certified,
    two_that_look_certified,
    under_each_policy,
    with_rules,
)
from mpcbench.oracle.solve import Choice, gold_choices
from mpcbench.schema import PolicyRule, World

Picks = Sequence[Choice]
Rules = tuple[PolicyRule, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """One way of guessing."""

    name: str
    pick: Callable[[Case], Picks]


@dataclass(frozen=True, slots=True)
class _Family:
    """Variants that differ in one parameter."""

    name: str
    """With a place for the parameter."""

    parameters: Sequence[Any]
    pick: Callable[[Case, Any], Picks]
    text: Callable[[Any], str] = str

    def best(self, cases: Sequence[Case]) -> Variant:
        """The variant whose exact-match rate and F1 are the highest together."""
        best = max(self.parameters, key=lambda parameter: self._worth(parameter, cases))
        return Variant(self.name.format(self.text(best)), partial(_with, self.pick, best))

    def _worth(self, parameter: Any, cases: Sequence[Case]) -> float:
        return sum(sum(hit(self.pick(case, parameter), case)) for case in cases)


def _with(pick: Callable[[Case, Any], Picks], parameter: Any, case: Case) -> Picks:
    return pick(case, parameter)


def variants(missing: Missing, cases: Sequence[Case]) -> list[Variant]:
    """All variants for what is missing, fitted to the cases of another data set."""
    found: list[Variant] = []
    if missing is not Missing.POLICY_ID:
        found += [Variant("first N", partial(_first, skipped=0))]
        found += [Variant("skip N", lambda case: _first(case, case.count))]
        found += [family.best(cases) for family in _FAMILIES]
        if cases[0].seen.rooms is not None:
            found += [family.best(cases) for family in _ROOM_FAMILIES]
        weights = learned(cases)
        found += [
            Variant("learned", lambda case: most_likely(case, weights, case.count)),
            Variant("learned run", lambda case: most_likely_run(case, weights)),
            Variant("learned 2N", lambda case: most_likely(case, weights, 2 * case.count)),
        ]
    if missing in {Missing.POLICY, Missing.THREADS}:
        policies = _policies(cases[0].known.world)
        found += [_Family("policy {}", policies, _under, _rules_text).best(cases)]
    if missing in {Missing.POLICY_ID, Missing.THREADS}:
        found += _ANY_POLICY
    if missing is Missing.EVERYTHING:
        found += [Variant("random", _random), Variant("all slots", lambda case: [one.choice for one in case.options])]
    return found


def _first(case: Case, skipped: int, times: int = 1) -> Picks:
    return [option.choice for option in case.options[skipped : skipped + times * case.count]]


def _first_where(case: Case, is_meant: Callable[[Any], bool]) -> Picks:
    found: list[Choice] = []
    for option in case.options:
        if is_meant(option):
            found.append(option.choice)
            if len(found) == case.count:
                break
    return found


_FAMILIES: Final = (
    _Family("skip {}", range(1, 41), _first),
    _Family("first {}N", (2, 3, 4), lambda case, times: _first(case, 0, times)),
    _Family(
        "from {}",
        range(7 * 60, 21 * 60, 15),
        lambda case, minute: _first_where(case, lambda option: option.minute >= minute),
        lambda minute: f"{minute // 60:02}:{minute % 60:02}",
    ),
    _Family("from day {}", range(1, 8), lambda case, day: _first_where(case, lambda option: option.day >= day)),
    _Family("{} N", ("last",), lambda case, _: [option.choice for option in case.options[-case.count :]]),
)
_ROOM_FAMILIES: Final = (
    _Family("first {} rooms", range(1, 5), lambda case, k: _first_where(case, lambda option: option.room_place < k)),
    _Family("room {} of a slot", range(2, 6), lambda case, k: _first_where(case, lambda one: one.room_place == k - 1)),
)


def _random(case: Case) -> Picks:
    rng = Random(case.known.instance.instance_id)  # noqa: S311 - no secret
    return [option.choice for option in rng.sample(case.options, min(case.count, len(case.options)))]


def _policies(world: World) -> list[Rules]:
    return list(dict.fromkeys(section.rules for section in world.policies if section.rules))


def _under(case: Case, rules: Rules) -> Picks:
    return gold_choices(with_rules(case.seen, rules))


def _rules_text(rules: Rules) -> str:
    return " and ".join(rule.kind.replace("_", " ") for rule in rules)


def _any(case: Case) -> Picks:
    rng = Random(case.known.instance.instance_id)  # noqa: S311 - no secret
    return rng.choice(under_each_policy(case.seen, case.known))


def _certified(case: Case) -> Picks:
    rng = Random(case.known.instance.instance_id)  # noqa: S311 - no secret
    found = that_look_certified(case.seen, case.known)
    return rng.choice(found) if found else []


def _two_certified(case: Case) -> Picks:
    rng = Random(case.known.instance.instance_id)  # noqa: S311 - no secret
    return two_that_look_certified(case.seen, case.known, rng)


def _voted(case: Case) -> Picks:
    votes = Counter(choice for picks in under_each_policy(case.seen, case.known) for choice in picks)
    return [choice for choice, _ in votes.most_common(case.count)]


def _all_policies(case: Case) -> Picks:
    return _under(case, tuple(rule for rules in _policies(case.known.world) for rule in rules))


_ANY_POLICY: Final = [
    Variant("the most unlike policy", lambda case: most_unlike(case.seen, case.known)),
    Variant("a random policy", _any),
    Variant("a policy that looks certified", _certified),
    Variant("two policies that look certified", _two_certified),
    Variant("most policies", _voted),
    Variant("all policies", _all_policies),
]
