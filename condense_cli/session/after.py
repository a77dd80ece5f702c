"""The session as it is after a repair, read back before anything is written."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from condense_cli.formats.read import read_document
from condense_cli.model.plan import apply
from condense_cli.storage.source import spooled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.document import Document
    from condense_cli.model.plan import Plan
    from condense_cli.session.opened import Session


@contextmanager
def document_after(session: Session, plan: Plan) -> Iterator[Document]:
    """Yield the document that a plan makes of a session; its bytes are in a file without a name until the end."""
    if not plan.changes:
        yield session.document
        return
    with spooled(session.path, apply(plan.segments, session.source)) as new:
        yield read_document(session.path, new, plan.format)
