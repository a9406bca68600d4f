"""Policies that nobody called for, and that an agent went out of its way to read."""

from collections.abc import Iterable, Iterator

from mpcbench.evaluation.diagnosis.provenance import Provenance
from mpcbench.evaluation.diagnosis.sought import sought
from mpcbench.oracle.resolve import statements
from mpcbench.schema import CallPolicy
from mpcbench.schema.episode import ToolCall
from unit_tests.evaluation.diagnosis.planted import dataset, instances

_INSTANCE = instances(2)[0]
_WORLD = dataset().world(2)
_PROVENANCE = Provenance(statements(_WORLD, _INSTANCE))
_CALLED = {one.statement.policy_id for one in _PROVENANCE.every(CallPolicy)}
_DOCUMENTS = [
    [section.policy_id for section in document.sections if section.policy_id] for document in _WORLD.documents
]
_OTHERS = [document for document in _DOCUMENTS if _CALLED.isdisjoint(document)]


def _sought(*shown: Iterable[str], threads: Iterable[str] = ()) -> frozenset[str]:
    return sought(_WORLD, _PROVENANCE, [*_calls(shown, "policy"), *_calls([[one] for one in threads], "thread")])


def _calls(shown: Iterable[Iterable[str]], kind: str) -> Iterator[ToolCall]:
    for names in shown:
        records = tuple(f"{kind}:{name}" for name in names)
        yield ToolCall(turn=1, name="read", arguments={}, result="", is_error=False, records=records)


def _named(document: Iterable[str]) -> set[str]:
    texts = [section.text for section in _WORLD.policies if section.policy_id in _CALLED]
    return {policy for policy in document if any(policy in text for text in texts)}


def test_document_with_a_policy_that_was_called_for_says_nothing() -> None:
    """Its other policies are shown to everybody who reads the one that was called for."""
    (document,) = (document for document in _DOCUMENTS if not _CALLED.isdisjoint(document))

    assert _sought(document) == frozenset()


def test_document_without_one_was_opened_for_its_own_policies() -> None:
    """All of them, if nothing that was read names one."""
    document = next(document for document in _OTHERS if not _named(document))

    assert _sought(document) == frozenset(document)


def test_policy_that_a_thread_names_is_what_was_sought() -> None:
    """Of the document's policies, only the one that a thread of another meeting calls for."""
    policy, thread = next(
        (policy, thread.thread_id)
        for document in _OTHERS
        for policy in document
        for thread in _WORLD.threads
        if {one for one in document if any(one in message.text for message in thread.messages)} == {policy}
        and not _named(document)
    )
    document = next(document for document in _OTHERS if policy in document)

    assert _sought(document, threads=[thread]) == frozenset({policy})


def test_who_opens_many_documents_looks_around() -> None:
    """Nothing was sought in any of them."""
    assert _sought(*_OTHERS) == frozenset()


def test_policy_that_was_looked_up_by_itself_was_sought() -> None:
    """Whatever else was read."""
    policy = _OTHERS[0][0]

    assert _sought([policy], *_OTHERS) == frozenset({policy})
