"""Policy documents, current and archived."""

from typing import Annotated, Any

from pydantic import Field

from mpcbench.benchmark.environment.level4.pages import (
    Block,
    Keyword,
    Name,
    list_page,
    rows_page,
    text_page,
    unknown_id,
)
from mpcbench.benchmark.environment.level4.records import LadderRecords
from mpcbench.benchmark.environment.level4.search import first_place, wanted_words
from mpcbench.benchmark.environment.tools.results import PageNumber
from mpcbench.benchmark.environment.tools.threads import snippet
from mpcbench.benchmark.environment.tools.toolbox import ToolResult
from mpcbench.schema.level4.world import LadderDocument, LadderSection, policy_record

DocumentId = Annotated[Name, Field(description="A document ID such as DOC-01.")]


def list_policy_documents(records: LadderRecords, page: PageNumber = 1) -> ToolResult:
    """The policy documents: their IDs, their titles and the IDs of the policies that each contains; 20 a page.

    JSON. What a policy says, when it is in force and where it applies is in its document.
    """
    return list_page("documents", [_row(document) for document in records.documents(archived=False)], page)


def search_policies(records: LadderRecords, keyword: Keyword, page: PageNumber = 1) -> ToolResult:
    """Search the sections of the policy documents; 10 a page.

    The archive is not searched, although an edition that is still in force may be there alone.

    JSON: for each section found, the ID and title of its document, its heading and a short snippet.
    """
    wanted = wanted_words(keyword)

    def row(found: tuple[LadderDocument, LadderSection]) -> dict[str, Any]:
        document, section = found
        return {
            "document_id": document.document_id,
            "document": document.title,
            "section": _heading(section),
            "snippet": snippet(section.text, first_place(section.text, wanted)),
        }

    return rows_page("sections", records.sections_index.find(wanted), row, page)


def read_policy_document(records: LadderRecords, document_id: DocumentId, page: PageNumber = 1) -> ToolResult:
    """The text of one policy document, section by section."""
    return _read(records, document_id, page, archived=False)


def list_policy_archive(records: LadderRecords, page: PageNumber = 1) -> ToolResult:
    """The archived copies of policy documents, kept when a document was changed; 20 a page.

    An edition of a rule that is still in force may be in an archived copy alone.

    JSON: their IDs, their titles and the IDs of the policies that each contains. When a policy is or was in force is said
    in the documents.
    """
    return list_page("documents", [_row(document) for document in records.documents(archived=True)], page)


def read_archived_document(records: LadderRecords, document_id: DocumentId, page: PageNumber = 1) -> ToolResult:
    """The text of one archived copy of a policy document, section by section."""
    return _read(records, document_id, page, archived=True)


def _read(records: LadderRecords, document_id: str, page: int, *, archived: bool) -> ToolResult:
    wanted = document_id.strip().upper()
    for document in records.documents(archived=archived):
        if document.document_id == wanted:
            break
    else:
        if archived:
            raise unknown_id("archived document", document_id, "list_policy_archive shows the archive")
        raise unknown_id("policy document", document_id, "list_policy_documents shows the documents")
    copy = "archived copy of " if archived else ""
    blocks = [Block(f"\n{document.introduction}")] if document.introduction else []
    blocks += [Block(f"\n## {_heading(section)}\n{section.text}", _record_of(section)) for section in document.sections]
    return text_page(f"# {copy}{document.title} ({document.document_id})", blocks, page)


def _row(document: LadderDocument) -> dict[str, Any]:
    policies = [section.policy.policy_id for section in document.sections if section.policy is not None]
    return {
        "document_id": document.document_id,
        "title": document.title,
        "policy_ids": list(dict.fromkeys(policies)),
    }


def _record_of(section: LadderSection) -> tuple[str, ...]:
    return () if section.policy is None else (policy_record(section.policy),)


def _heading(section: LadderSection) -> str:
    """The heading; the policy's ID and edition come first unless it names both."""
    if section.policy is None:
        return section.heading
    edition = f"edition {section.policy.edition}"
    if section.policy.policy_id in section.heading and edition in section.heading:
        return section.heading
    return f"{section.policy.policy_id}, {edition}: {section.heading}"
