"""What mkdocs does beyond Markdown; `hooks` in mkdocs.yml names this file."""  # noqa: INP001 - no package


def on_page_content(html: str, **_: object) -> str:
    """GitHub needs a backslash before a pipe in a table's code, which Python-Markdown would show."""
    return html.replace(r"\|", "|")
