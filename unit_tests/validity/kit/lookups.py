"""Flaws before integration, in policies: not looked up, or others than those that apply."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import tzinfo
from functools import partial

from mpcbench.benchmark.agents.reference import ReadingError
from mpcbench.benchmark.agents.reference.acquire import acquire
from mpcbench.benchmark.agents.reference.desk import Desk, document_of
from mpcbench.benchmark.agents.reference.facts import Facts, PolicyCall, Request
from mpcbench.benchmark.agents.reference.grammar_policy import Rule, read_rules, rule_of_item, section_of
from mpcbench.schema.cause import Stage
from unit_tests.validity.kit.core import Mind, Plan, flawed


def _policies_left_out(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """Applies no policy, and looks none up."""
    if request.policies:
        mind.note(record=f"policy:{request.policies[0].policy_id}", what="never looked up")
    return replace(acquire(desk, replace(request, policies=[]), zone), request=request)


def _policies_only_listed(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """Lists the policy documents and opens none."""
    if "list_policies" not in desk.offers:
        return acquire(desk, request, zone)
    desk.next_turn()
    desk.call("list_policies")
    return _policies_left_out(mind, desk, request, zone)


def _one_policy_left_out(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """Looks up all policies but the last that is called for, if there are several."""
    wanted = list(dict.fromkeys(request.policies))
    if len(wanted) < 2:
        return acquire(desk, request, zone)
    mind.note(record=f"policy:{wanted[-1].policy_id}", what="never applied")
    return replace(acquire(desk, replace(request, policies=wanted[:-1]), zone), request=request)


def _neighbours(policy_id: str, called: Sequence[PolicyCall]) -> list[str]:
    """The IDs next to a policy's that are not called for, nearest first."""
    number = int(policy_id[4:])
    near = [f"POL-{number + step:02d}" for step in (1, -1, 2, -2)]
    return [other for other in near if other not in {call.policy_id for call in called}]


def _wrong_policy(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """Looks up the policy with the ID next to the right one."""
    for other in _neighbours(request.policies[0].policy_id, request.policies) if request.policies else ():
        calls = [PolicyCall(other), *request.policies[1:]]
        try:
            facts = acquire(desk, replace(request, policies=calls), zone)
        except ReadingError:
            continue
        mind.note(record=f"policy:{request.policies[0].policy_id}", used=f"policy:{other}")
        return replace(facts, request=request)
    return acquire(desk, request, zone)


def _archived_policies(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """Reads the policies in the archive of superseded ones, where it finds them."""
    rules: list[Rule] = []
    used: dict[str, str] = {}
    for call in dict.fromkeys(request.policies):
        desk.next_turn()
        found = desk.call_json("search_policy_archive", keyword=call.policy_id)["superseded"]
        pages = [page["page_id"] for page in found if page["page_id"].startswith(call.policy_id)]
        if not pages:
            return acquire(desk, request, zone)
        text = desk.call("read_archived_policy", page_id=pages[-1])
        rules += read_rules(text.partition("no longer applies to anything.")[2])
        used[f"policy:{call.policy_id}"] = pages[-1]
    mind.note(record=next(iter(used), None), used=used)
    facts = acquire(desk, replace(request, policies=[]), zone)
    return replace(facts, request=request, rules=rules)


def _extra_policy(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    """Applies one more policy that nobody called for."""
    facts = acquire(desk, request, zone)
    for other in _neighbours(request.policies[0].policy_id, request.policies) if request.policies else ():
        try:
            more = _rules_of(desk, other)
        except ReadingError:
            continue
        mind.note(record=f"policy:{other}", what="applied although nobody called for it")
        return replace(facts, rules=[*facts.rules, *more])
    return facts


def _rules_of(desk: Desk, policy_id: str) -> list[Rule]:
    if "get_policy" in desk.offers:
        return [rule_of_item(item) for item in desk.call_json("get_policy", keyword=policy_id)["rules"]]
    for document in desk.call_json("list_policies"):
        if policy_id in document["policy_ids"]:
            text = desk.call("read_policy_document", document_id=document["document_id"])
            return read_rules(section_of(document_of(text), policy_id))
    raise ReadingError(f"no document has {policy_id}")


_agent = partial(flawed, lead="The policy of the slip", levels=(3,))

_NEVER = "decomposition.source_never_queried"
_UNSEEN = "acquisition.record_never_seen"
_ALL = (1, 2, 3)

AGENTS = (
    _agent(
        "no-policy",
        "Never looks a policy up.",
        Plan(acquire=_policies_left_out),
        (f"{_NEVER}:policy",),
        levels=_ALL,
        stage=Stage.DECOMPOSITION,
    ),
    _agent(
        "archived-policy",
        "Reads the superseded policy in the archive instead of the one in force.",
        Plan(acquire=_archived_policies),
        (f"{_NEVER}:policy", f"{_UNSEEN}:policy"),
        "the superseded edition read instead",
        stage=Stage.DECOMPOSITION,
    ),
    _agent(
        "policies-only-listed",
        "Lists the policy documents and opens none.",
        Plan(acquire=_policies_only_listed),
        (f"{_UNSEEN}:policy",),
        levels=(2, 3),
        stage=Stage.ACQUISITION,
    ),
    _agent(
        "one-policy-left-out",
        "Looks up all policies but one.",
        Plan(acquire=_one_policy_left_out),
        (f"{_UNSEEN}:policy", "integration.constraint_omitted"),
        stage=Stage.ACQUISITION,
    ),
    _agent(
        "policy-id-slip",
        "Looks up the policy with the ID next to the right one.",
        Plan(acquire=_wrong_policy),
        (f"{_UNSEEN}:policy",),
        "integration.constraint_omitted",
        "integration.constraint_added:policy",
        levels=_ALL,
        stage=Stage.ACQUISITION,
    ),
    _agent(
        "extra-policy",
        "Applies a policy that nobody called for.",
        Plan(acquire=_extra_policy),
        ("integration.constraint_added:policy",),
        levels=_ALL,
        stage=Stage.INTEGRATION,
    ),
)
"""The agents of this module."""
