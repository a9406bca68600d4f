"""The policy source: the organisation's policies, one by one or in whole documents."""

from typing import Annotated, Any

from pydantic import Field

from mpcbench.benchmark.environment.tools.results import as_json, tags_json, unknown
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import ToolError, ToolResult
from mpcbench.schema import PolicyRule, Section

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def get_policy(
    sources: Sources, keyword: Annotated[str, Field(description="A policy ID such as POL-04, or a policy's title.")]
) -> ToolResult:
    """One policy as a JSON item: its ID, its title and its rules, all of which hold where the policy applies.

    Kinds of rule: work_hours (a meeting lies wholly between start and end of one of the days), lunch_block and
    ban_dow_time (a meeting does not overlap start to end on those days), buffer_min (at least so many minutes lie
    between a meeting and every other event of its participants, before and after it), room_turnaround (the same
    between a meeting and the other bookings of its room).
    """
    wanted = " ".join(keyword.casefold().split())
    policies = sources.world.policies
    found = [policy for policy in policies if wanted in (str(policy.policy_id).casefold(), _title(policy).casefold())]
    if not found:
        known = [name for policy in policies for name in (str(policy.policy_id), _title(policy))]
        raise unknown("policy", keyword, known, "give a policy ID or a whole title")
    if len(found) > 1:
        raise ToolError(
            f"several policies have the title {keyword!r}: give the ID, one of "
            f"{', '.join(str(policy.policy_id) for policy in found)}"
        )
    policy = found[0]
    content = {
        "policy_id": policy.policy_id,
        "title": _title(policy),
        "rules": [_item(rule) for rule in policy.rules],
    }
    return ToolResult(as_json(content), (f"policy:{policy.policy_id}",))


def list_policies(sources: Sources) -> ToolResult:
    """The policy documents in force: their IDs, their titles and the IDs of the policies that each contains.

    JSON. What a policy says is in its document.
    """
    content = [
        {
            "document_id": document.document_id,
            "title": document.title,
            "policy_ids": [section.policy_id for section in document.sections if section.policy_id is not None],
        }
        for document in sources.world.documents
    ]
    return ToolResult(as_json(content))


def read_policy_document(
    sources: Sources, document_id: Annotated[str, Field(description="A document ID such as DOC-01.")]
) -> ToolResult:
    """The whole text of one policy document in force, section by section."""
    wanted = document_id.strip().upper()
    for document in sources.world.documents:
        if document.document_id == wanted:
            break
    else:
        known = ", ".join(document.document_id for document in sources.world.documents)
        raise ToolError(f"no policy document {document_id!r}; the documents are {known}")
    parts = [f"# {document.title} ({document.document_id})", document.introduction]
    for section in document.sections:
        parts.append(f"## {_heading(section)}\n{section.text}")
        if sources.show_tags and section.policy_id is not None:
            parts.append(f"rules of {section.policy_id}: {tags_json(section.rules)}")
    records = tuple(f"policy:{section.policy_id}" for section in document.sections if section.policy_id is not None)
    return ToolResult("\n\n".join(part for part in parts if part), records)


def _title(section: Section) -> str:
    """The heading without the policy ID that it may carry."""
    return section.heading.replace(str(section.policy_id), "").strip(" :()\u2013\u2014-")


def _heading(section: Section) -> str:
    if section.policy_id is None or section.policy_id in section.heading:
        return section.heading
    return f"{section.policy_id}: {section.heading}"


def _item(rule: PolicyRule) -> dict[str, Any]:
    item = rule.model_dump(mode="json")
    if "days" in item:
        item["days"] = [WEEKDAYS[day] for day in item["days"]]
    if "day" in item:
        item["day"] = WEEKDAYS[item["day"]]
    return item
