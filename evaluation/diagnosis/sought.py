"""Policies that an agent went out of its way to read, although nobody called for them."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from mpcbench.evaluation.diagnosis.provenance import Provenance
from mpcbench.schema import CallPolicy, World
from mpcbench.schema.episode import ToolCall

_MOST_DOCUMENTS: Final = 2
"""Documents that were opened for no policy that holds; who opens more of them looks around."""


def sought(world: World, provenance: Provenance, calls: Iterable[ToolCall]) -> frozenset[str]:
    """IDs of the policies that calls showed by themselves, or in a document without any policy that was called for.

    Of such a document, only those that a thread that was read, or a policy that was called for, names, if it names any.
    """
    called = {one.statement.policy_id for one in provenance.every(CallPolicy)}
    read = [frozenset(_ids("policy", call)) for call in calls]
    alone = frozenset[str]().union(*(some for some in read if len(some) == 1))
    opened = {some for some in read if len(some) > 1 and some.isdisjoint(called)}
    if not 0 < len(opened) <= _MOST_DOCUMENTS:
        return alone
    texts = [*_texts(world, called, {name for call in calls for name in _ids("thread", call)})]
    named = ({policy for policy in some if any(policy in text for text in texts)} or some for some in opened)
    return alone.union(*named)


def _ids(kind: str, call: ToolCall) -> Iterator[str]:
    """The IDs of the records of a kind that a call showed."""
    parts = (record.partition(":") for record in call.records)
    return (name for prefix, _, name in parts if prefix == kind)


def _texts(world: World, policies: Collection[str], threads: Collection[str]) -> Iterator[str]:
    yield from (section.text for section in world.policies if section.policy_id in policies)
    yield from (message.text for name in threads for message in world.thread_by_id[name].messages)
