"""What providers and clients answer with when a session is broken, word for word.

One table serves both directions: a finding is given the literal text of its contract, and a text that
somebody pasted is led back to the rules it is about. Ids, indexes and lengths are placeholders.
"""

from condense_cli.rules.refusals.answers import provider_error, texts
from condense_cli.rules.refusals.match import Match, as_match
from condense_cli.rules.refusals.recognise import recognise
from condense_cli.rules.refusals.row import Refusal
from condense_cli.rules.refusals.table import REFUSALS

__all__ = ["REFUSALS", "Match", "Refusal", "as_match", "provider_error", "recognise", "texts"]
