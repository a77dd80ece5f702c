"""Who rejects what: contract × rule → severity, one table.

A contract is a client that reads session files or a provider that is sent their messages. Line, header, tree
and condense rules are the business of the session's own client; of the providers' columns they count only
where an array of messages is the session, or a client has no column of its own (Gemini CLI, Kimi CLI).

Evidence of a cell: L seen with the real client against a strict stand-in · S read in the client's source ·
O a literal error in a public report · M measured by a third party · D vendor documentation · P stated in the
public pull request that the kernel's rule comes from · I inferred: never more than a warning.
"""

from __future__ import annotations

from typing import NamedTuple

from condense_cli.model.findings import Severity
from condense_cli.rules.catalogue import RULES, Layer
from condense_cli.rules.limits import limit_for

CLIENTS = ("pi", "openclaw", "claude-code", "codex", "qwen", "copilot", "cline", "roo", "opencode", "kimi-code")
PROVIDERS = ("anthropic", "openai-chat", "openai-responses", "gemini", "bedrock", "kimi", "deepseek", "mistral")
TRAINING = "training"
"""What trainers on trajectories ask for: whole pairs, arguments that are JSON, no empty turn, no end in mid-action."""
CONTRACTS = (*CLIENTS, *PROVIDERS, TRAINING)
_COLUMNS = ("pi", "openclaw", "claude-code", "codex", "openai-chat", "anthropic", "openai-responses", "gemini", "bedrock", "kimi", "deepseek", "mistral")  # fmt: skip


class Cell(NamedTuple):
    """What one contract makes of one rule, how that is known, and where to read on."""

    severity: Severity | None
    evidence: str
    source: str


NOT_A_RULE = Cell(None, "", "")

# rule[:variant]       pi oc cc cx  chat an  resp gem bed kimi deep mist     evidence, same columns
_TABLE = """
unreadable-line         W  W  W  W   E  E   E  W  E  -  -  -     L  S  L  L   D  D   D  S  D  -  -  -
torn-tail               W  W  W  W   E  E   E  W  E  -  -  -     L  S  L  L   D  D   D  S  D  -  -  -
fused-line              E  E  E  E   E  E   E  W  E  -  -  -     L  S  O  O   D  D   D  S  D  -  -  -
split-record            E  E  E  E   E  E   E  W  E  -  -  -     S  S  O  S   D  D   D  I  D  -  -  -
nul-bytes               E  E  E  E   E  E   E  W  E  -  -  -     O  S  O  O   D  D   D  I  D  -  -  -
bom                     E  E  W  E   W  W   W  W  W  -  -  -     L  S  L  L   D  D   D  I  D  -  -  -
missing-final-newline   W  W  W  W   I  I   I  W  I  -  -  -     L  S  O  D   D  D   D  I  D  -  -  -
invalid-utf8            W  W  W  E   E  E   E  W  E  -  -  -     S  S  S  L   D  D   D  I  D  -  -  -
invalid-utf8:unreadable -  -  -  E   -  -   -  -  -  -  -  -     -  -  -  L   -  -   -  -  -  -  -  -
lone-surrogate          W  W  W  E   E  E   E  W  E  -  -  -     L  S  L  L   O  O   D  I  D  -  -  -
nul-character           W  W  W  W   W  W   W  W  W  W  W  W     S  S  O  O   I  O   I  I  I  I  I  I
missing-header          E  E  -  E   -  -   -  -  -  -  -  -     L  S  -  L   -  -   -  -  -  -  -  -
misplaced-header        E  E  -  E   -  -   -  -  -  -  -  -     L  S  -  L   -  -   -  -  -  -  -  -
duplicate-record        W  W  I  E   -  -   E  -  -  -  -  -     S  S  O  O   -  -   O  -  -  -  -  -
stale-copy              E  W  E  -   -  -   -  -  -  -  -  -     L  S  L  -   -  -   -  -  -  -  -  -
stale-copy:harmless     I  I  I  -   -  -   -  -  -  -  -  -     L  S  L  -   -  -   -  -  -  -  -  -
duplicate-id            E  E  E  -   -  -   -  -  -  -  -  -     L  S  L  -   -  -   -  -  -  -  -  -
parent-cycle            E  E  W  -   -  -   -  -  -  -  -  -     L  S  L  -   -  -   -  -  -  -  -  -
missing-parent          E  W  W  -   -  -   -  -  -  -  -  -     L  S  L  -   -  -   -  -  -  -  -  -
unreachable-reply       -  -  E  -   -  -   -  -  -  -  -  -     -  -  O  -   -  -   -  -  -  -  -  -
hidden-history          W  W  W  -   -  -   -  W  -  -  -  -     L  I  L  -   -  -   -  O  -  -  -  -
foreign-session         -  -  W  -   -  -   -  -  -  -  -  -     -  -  O  -   -  -   -  -  -  -  -  -
foreign-session:joined  -  -  I  -   -  -   -  -  -  -  -  -     -  -  L  -   -  -   -  -  -  -  -  -
missing-ordinal         -  -  -  E   -  -   -  -  -  -  -  -     -  -  -  O   -  -   -  -  -  -  -  -
broken-lineage          -  -  -  E   -  -   -  -  -  -  -  -     -  -  -  O   -  -   -  -  -  -  -  -
duplicate-ordinal       -  -  -  W   -  -   -  -  -  -  -  -     -  -  -  O   -  -   -  -  -  -  -  -
orphan-result           E  W  W  W   E  E   E  E  E  E  E  E     L  S  L  L   O  O   O  O  O  O  O  O
unanswered-call         W  W  W  W   E  E   E  E  E  E  E  E     L  S  L  L   O  O   O  O  O  O  O  O
unanswered-call:not-sent W  W  W  W   E  E   E  E  E  E  E  E     L  S  L  L   O  O   O  O  O  O  O  O
trailing-call           I  I  I  I   I  I   I  I  I  I  I  I     L  S  L  L   I  I   I  I  I  I  I  I
trailing-call:left-open I  I  I  I   E  E   E  E  E  E  E  E     L  S  L  L   L  O   O  L  O  O  O  O
displaced-result        E  W  W  I   E  E   I  E  E  E  E  E     L  S  L  L   O  O   O  O  O  O  O  O
displaced-result:server -  -  E  -   -  E   -  -  -  -  -  -     -  -  O  -   -  O   -  -  -  -  -  -
result-before-call      E  W  W  E   E  E   E  E  E  E  E  E     L  S  L  L   O  O   L  O  O  O  O  O
duplicate-result        E  W  W  E   E  E   E  E  E  E  E  E     L  S  L  L   O  O   L  O  O  O  O  O
stored-twice            -  -  -  -   -  -   -  E  -  -  -  -     -  -  -  -   -  -   -  L  -  -  -  -
result-of-skipped-call  E  E  -  -   E  E   E  E  E  E  E  E     L  O  -  -   O  O   O  O  O  O  O  O
duplicate-call-id       E  E  E  E   E  E   E  -  E  E  E  E     L  O  O  L   O  O   O  -  O  O  O  O
reused-id               I  I  E  W   I  E   I  -  W  I  I  I     L  S  L  L   I  O   I  -  I  O  I  I
reused-id:anthropic     E  E  E  W   I  E   I  -  W  I  I  I     L  S  L  L   I  O   I  -  I  O  I  I
partial-call            W  W  W  -   -  -   -  -  -  -  -  -     O  O  O  -   -  -   -  -  -  -  -  -
missing-arguments       W  W  E  E   E  E   E  W  W  E  W  W     S  S  L  S   O  O   O  I  I  O  I  I
invalid-arguments       E  E  E  W   W  E   W  W  W  E  W  W     L  S  L  L   I  O   I  I  I  O  I  I
invalid-tool-name       E  E  E  E   E  E   E  W  E  W  W  W     L  S  L  L   P  P   O  I  O  I  I  I
invalid-call-id         E  E  E  E   E  E   E  -  E  E  E  E     O  O  O  O   O  O   O  -  D  P  O  O
invalid-call-id:charset -  -  E  -   -  E   -  -  E  -  -  -     L  S  L  -   -  O   -  -  D  O  -  -
invalid-call-id:own     E  E  E  -   -  E   -  -  E  -  -  -     L  S  L  -   -  O   -  -  D  O  -  -
invalid-call-id:long    W  W  E  E   E  E   E  -  E  W  W  -     S  S  O  O   M  L   O  -  D  I  I  -
invalid-call-id:over-40 -  -  -  -   I  -   -  -  -  -  -  -     -  -  -  -   O  -   -  -  -  -  -  -
invalid-call-id:not-nine -  -  -  -   -  -   -  -  -  -  -  E     -  -  -  -   -  -   -  -  -  -  -  O
empty-message:user      I  I  E  I   W  E   -  E  E  W  W  W     L  S  L  L   I  M   -  O  O  I  I  I
empty-message:blank-assistant  I  I  W  I   W  W   -  W  E  E  W  W     L  S  O  L   I  M   -  I  O  O  I  I
empty-message:empty-assistant  I  I  I  I   W  I   -  E  E  E  W  W     L  S  L  L   O  M   -  O  O  O  I  I
blank-text:empty        W  W  W  I   I  E   -  E  E  E  -  -     L  S  O  L   O  M   -  O  O  O  -  -
blank-text:in-result    E  E  E  -   -  E   -  -  -  -  -  -     L  S  L  -   -  O   -  -  -  -  -  -
blank-text:white        W  W  W  I   I  W   -  -  E  W  -  -     L  S  O  L   O  M   -  -  O  I  -  -
blank-text:taken        I  I  I  I   I  E   -  E  E  E  -  -     S  S  O  L   O  M   -  O  O  O  -  -
results-not-first       -  -  -  -   -  E   -  W  W  -  -  -     -  -  -  -   -  O   -  I  I  -  -  -
text-after-call         I  I  -  -   -  W   -  -  W  -  -  -     S  S  -  -   -  I   -  -  I  -  -  -
text-after-call:native  W  W  -  -   -  W   -  -  W  -  -  -     O  O  -  -   -  I   -  -  I  -  -  -
invalid-image           E  E  W  W   E  E   E  W  W  W  W  W     L  S  L  L   O  O   O  I  I  I  I  I
media-type-mismatch     W  W  E  W   W  E   W  W  W  W  W  W     O  I  L  O   O  O   O  I  I  I  I  I
media-type-mismatch:native E  E  E  W  W  E  W  W  W  W  W  W     L  O  L  O  O  O  O  I  I  I  I  I
invalid-document        E  E  E  W  W  E  W  W  W  W  W  W     O  O  O  I  I  O  I  I  I  I  I  I
oversized-media         E  E  E  W  I  E  W  W  W  -  -  W     O  O  O  D  D  O  D  D  D  -  -  O
too-many-media          E  E  E  -  -  E  -  W  W  -  E  W     O  O  O  -  -  O  -  D  O  -  O  M
oversized-request       W  W  W  W   I  W   W  W  W  -  -  -     D  D  D  D   D  D   D  D  D  -  -  -
image-in-result         -  -  -  -   E  -   -  -  -  W  -  W     -  -  -  -   O  -   -  -  -  D  -  I
image-in-result:client  -  -  -  -   I  -   -  -  -  W  -  W     -  -  -  -   O  -   -  -  -  D  -  I
unknown-tool-reference  -  -  I  -   -  E   -  -  -  -  -  -     -  -  O  -   -  O   -  -  -  -  -  -
unknown-tool-reference:unproven -  -  I  -   -  I   -  -  -  -  -  -     -  -  L  -   -  O   -  -  -  -  -  -
undeclared-tool         -  -  -  -   -  -   -  -  -  -  -  -     -  -  -  -   -  -   -  -  -  -  -  -
arguments-not-by-schema -  -  -  -   -  -   -  -  -  -  -  -     -  -  -  -   -  -   -  -  -  -  -  -
invalid-item            -  -  -  E   -  -   E  -  -  -  -  -     -  -  -  L   -  -   O  -  -  -  -  -
invalid-item:content-beside -  -  -  W   -  -   W  -  -  -  -  -     -  -  -  L   -  -   O  -  -  -  -  -
invalid-item:elsewhere  -  -  -  I   -  -   I  -  -  -  -  -     -  -  -  I   -  -   I  -  -  -  -  -
empty-calls             -  -  -  -   E  -   -  -  -  W  W  W     -  -  -  -   O  -   -  -  -  I  I  I
missing-content         W  W  W  -   I  E   -  -  -  -  -  -     L  S  I  -   D  D   -  -  -  -  -  -
unsigned-thinking       -  -  -  -   -  W   -  -  W  -  -  -     L  -  -  -   -  I   -  -  I  -  -  -
unsigned-thinking:sent  W  E  W  -   -  E   -  -  W  -  -  -     L  O  L  -   -  O   -  -  I  -  -  -
dangling-reasoning      -  -  -  E   -  -   E  -  -  -  -  -     -  -  -  L   -  -   O  -  -  -  -  -
foreign-reasoning       -  -  -  I   -  -   I  -  -  -  -  -     -  -  -  O   -  -   O  -  -  -  -  -
missing-reasoning       -  -  -  -   I  -   -  -  -  E  E  -     -  -  -  -   O  -   -  -  -  O  O  -
ends-with-assistant     -  -  -  -   -  I   -  I  I  -  I  I     -  -  -  -   -  O   -  O  O  -  O  O
starts-without-user     W  W  E  -   -  E   -  E  E  -  -  W     L  S  L  -   -  O   -  O  O  -  -  I
starts-without-user:taken  -  -  E  -   -  E   -  E  E  -  -  W     -  -  L  -   -  O   -  O  O  -  -  I
roles-not-alternating   -  -  -  -   -  I   -  -  E  -  I  E     -  -  -  -   -  O   -  -  O  -  O  O
missing-blob            W  W  -  -   -  -   -  -  -  -  -  -     S  S  -  -   -  -   -  -  -  -  -  -
dangling-ref            I  I  -  -   -  -   -  -  -  -  -  -     S  S  -  -   -  -   -  -  -  -  -  -
dangling-ref:kept       W  W  -  -   -  -   -  -  -  -  -  -     L  S  -  -   -  -   -  -  -  -  -  -
unresolved-range        I  I  -  -   -  -   -  -  -  -  -  -     L  S  -  -   -  -   -  -  -  -  -  -
range-id-mismatch       I  I  -  -   -  -   -  -  -  -  -  -     L  S  -  -   -  -   -  -  -  -  -  -
orphan-sweep            I  I  -  -   -  -   -  -  -  -  -  -     L  S  -  -   -  -   -  -  -  -  -  -
backfill-empty          I  I  -  -   -  -   -  -  -  -  -  -     L  S  -  -   -  -   -  -  -  -  -  -
"""

# Where a cell's evidence can be read, by column; a rule without a row of its own takes the column's.
_SOURCES: dict[str, dict[str, str]] = {
    "*": {
        "pi": "pi 1.6.0, resumed sessions",
        "openclaw": "OpenClaw 2026.9.6, package source",
        "claude-code": "Claude Code 2.1.332, resumed sessions",
        "codex": "Codex 0.171.0, resumed sessions",
        "openai-chat": "OpenAI Chat Completions",
        "anthropic": "Anthropic Messages",
        "openai-responses": "OpenAI Responses",
        "gemini": "Gemini generateContent",
        "bedrock": "Bedrock Converse",
        "kimi": "Moonshot chat",
        "deepseek": "DeepSeek chat",
        "mistral": "Mistral chat",
    },
    "orphan-result": {"anthropic": "anthropics/claude-code#13460", "openai-chat": "miurla/morphic#136; WC-018", "openai-responses": "continuedev/continue#10092", "gemini": "google-gemini/gemini-cli#4217", "bedrock": "langgenius/dify-official-plugins#765", "kimi": "MoonshotAI/kimi-code#1053", "deepseek": "FoundationAgents/OpenManus#744", "mistral": "NousResearch/hermes-agent#11722"},
    "unanswered-call": {"anthropic": "anthropics/claude-code#5989", "openai-chat": "router-for-me/CLIProxyAPI#2798; WC-018", "openai-responses": "openai/codex#93", "gemini": "google-gemini/gemini-cli#4217", "bedrock": "camel-ai/camel#3954", "kimi": "MoonshotAI/kimi-cli#1977", "deepseek": "agno-agi/agno#3105", "mistral": "NousResearch/hermes-agent#11722"},
    "displaced-result": {"pi": "earendil-works/pi#8166", "claude-code": "anthropics/claude-code#50527", "anthropic": "anthropics/claude-code#5989", "openai-chat": "router-for-me/CLIProxyAPI#2798", "openai-responses": "kolega-ai/kolega-code#403", "gemini": "langchain-ai/langchain#27799", "bedrock": "camel-ai/camel#3954", "kimi": "MoonshotAI/kimi-cli#2405", "deepseek": "kolega-ai/kolega-code#403", "mistral": "charmbracelet/crush#279"},
    "duplicate-result": {"anthropic": "vectorize-io/hindsight#4250", "openai-chat": "agno-agi/agno#5116", "bedrock": "BerriAI/litellm#20048", "openclaw": "openclaw/openclaw#81397"},
    "stored-twice": {"gemini": "google-gemini/gemini-cli#29365; Gemini CLI 0.61.0, resumed sessions"},
    "result-of-skipped-call": {"pi": "earendil-works/pi#1140", "openclaw": "openclaw/openclaw#10932"},
    "duplicate-call-id": {"anthropic": "anthropics/claude-code#20901", "openai-chat": "openclaw/openclaw#40897", "bedrock": "BerriAI/litellm#20047", "kimi": "openclaw/openclaw#51155", "mistral": "anomalyco/opencode#50145", "openai-responses": "vercel/ai#7883"},
    "reused-id": {"anthropic": "anthropics/claude-code#28515", "kimi": "openclaw/openclaw#84730; ranxianglei/billion-context#3047"},
    "invalid-call-id": {"anthropic": "maximhq/bifrost#5097", "openai-chat": "jin-bo/agentao#321", "openai-responses": "V1ki/dsh-plugin-subscriptions#29", "mistral": "karthink/gptel#1203", "kimi": "ranxianglei/billion-context#3047", "bedrock": "run-llama/llama_index#22775"},
    "invalid-arguments": {"anthropic": "anthropics/claude-code#6696", "kimi": "MoonshotAI/kimi-cli#2165"},
    "invalid-tool-name": {"codex": "openai/codex#24369", "openai-responses": "openai/codex#24369", "bedrock": "docker/docker-agent#3974", "openai-chat": "WC-004", "anthropic": "WC-003", "gemini": "WC-006"},
    "empty-message": {"anthropic": "experientiallabs/experiential#804", "bedrock": "earendil-works/pi#3443", "kimi": "AstrBotDevs/AstrBot#7200", "gemini": "egoist/chatwise-releases#250"},
    "blank-text": {"anthropic": "experientiallabs/experiential#804", "bedrock": "OpenHands/OpenHands#5339", "kimi": "MoonshotAI/kimi-code#1985", "gemini": "boldsoftware/sketch#68"},
    "results-not-first": {"anthropic": "anthropics/anthropic-sdk-typescript#653"},
    "text-after-call": {"pi": "openclaw/openclaw#6587", "openclaw": "openclaw/openclaw#6587"},
    "media-type-mismatch": {"openclaw": "1jehuang/jcode#465, by the API of the model", "claude-code": "anthropics/claude-code#12009; Claude Code 2.1.332, resumed sessions", "anthropic": "1jehuang/jcode#465"},
    "invalid-document": {"pi": "anthropics/claude-code#25323, by the API of the model", "openclaw": "anthropics/claude-code#25323, by the API of the model", "claude-code": "anthropics/claude-code#25323", "anthropic": "anthropics/claude-code#25323"},
    "oversized-media": {"pi": "anthropics/claude-code#24630, by the API of the model", "openclaw": "anthropics/claude-code#24630, by the API of the model", "claude-code": "anthropics/claude-code#24630", "anthropic": "anthropics/claude-code#24630"},
    "too-many-media": {"pi": "anthropics/claude-code#23392, by the API of the model", "openclaw": "anthropics/claude-code#23392, by the API of the model", "claude-code": "anthropics/claude-code#30654", "anthropic": "anthropics/claude-code#23392"},
    "unknown-tool-reference": {"claude-code": "anthropics/claude-code#78485", "anthropic": "anthropics/claude-code#87047"},
    "image-in-result": {"openai-chat": "NousResearch/hermes-agent#106466"},
    "invalid-item": {"openai-responses": "github/app#409; openai/codex#6945; Wei-Shaw/sub2api#5178"},
    "empty-calls": {"openai-chat": "langchain-ai/langchainjs#11419"},
    "missing-content": {"pi": "earendil-works/pi#6276"},
    "invalid-image": {"anthropic": "anthropics/claude-code#56016", "openai-responses": "openai/codex#5346", "openai-chat": "openai/codex#3097"},
    "unsigned-thinking": {"anthropic": "ding113/claude-code-hub#518", "openclaw": "openclaw/openclaw#84430", "claude-code": "anthropics/claude-code#21726"},
    "dangling-reasoning": {"openai-responses": "continuedev/continue#8933", "codex": "continuedev/continue#8933"},
    "foreign-reasoning": {"openai-responses": "openai/codex#8119", "codex": "openai/codex#8119"},
    "missing-reasoning": {"kimi": "anomalyco/opencode#10996", "deepseek": "earendil-works/pi#3636", "openai-chat": "NousResearch/hermes-agent#15353"},
    "ends-with-assistant": {"anthropic": "router-for-me/CLIProxyAPI#5319", "mistral": "0xPlaygrounds/rig#1130", "deepseek": "olimorris/codecompanion.nvim#760"},
    "starts-without-user": {"anthropic": "lobehub/lobehub#1601", "bedrock": "pydantic/pydantic-ai#4495", "gemini": "google-gemini/gemini-cli#11814"},
    "roles-not-alternating": {"bedrock": "langchain-ai/langchain-aws#130", "mistral": "BerriAI/litellm#6323", "deepseek": "deepseek-ai/DeepSeek-R1#21", "anthropic": "etkecc/baibot#13"},
    "fused-line": {"claude-code": "anthropics/claude-code#81843", "codex": "openai/codex#24425"},
    "nul-bytes": {"claude-code": "anthropics/claude-code#49876"},
    "unreachable-reply": {"claude-code": "anthropics/claude-code#72203"},
    "hidden-history": {"pi": "can1357/oh-my-pi#12242", "claude-code": "anthropics/claude-code#89820", "gemini": "google-gemini/gemini-cli#28693"},
    "foreign-session": {"claude-code": "anthropics/claude-code#30802"},
    "missing-ordinal": {"codex": "openai/codex#45150"},
    "broken-lineage": {"codex": "jlcodes99/cockpit-tools#2233"},
    "duplicate-ordinal": {"codex": "openai/codex#41079"},
    "stale-copy": {"claude-code": "anthropics/claude-code#40487", "pi": "anthropics/claude-code#40487"},
    "duplicate-record": {"claude-code": "anthropics/claude-code#92089", "codex": "vercel/ai#13307", "openai-responses": "vercel/ai#7883"},
    "partial-call": {"pi": "earendil-works/pi#5538", "openclaw": "openclaw/openclaw#65924"},
}  # fmt: skip

_TRAINED_ON = frozenset(
    {
        "invalid-call-id",
        "invalid-arguments",
        "missing-arguments",
        "empty-message",
        "empty-calls",
        "undeclared-tool",
        "arguments-not-by-schema",
    }
)
_NOT_TRAINED_ON = frozenset({"reused-id", "stored-twice", "result-of-skipped-call"})


class _Like(NamedTuple):
    """A client that differs from another column only in some rows."""

    column: str
    source: str
    rows: dict[str, str]
    evidence: str = "L"


# What each repairs, loses and refuses was seen with the real client; the rows that are not here are those of the column.
_OTHER_CLIENTS = {
    "qwen": _Like("claude-code", "Qwen Code 0.24.4, resumed sessions", {
        "torn-tail": "E", "unreadable-line": "E", "nul-bytes": "W", "missing-parent": "E", "parent-cycle": "E", "duplicate-record": "E",
        "stale-copy": "-", "duplicate-id": "-", "unreachable-reply": "-", "foreign-session": "E", "foreign-session:joined": "-", "displaced-result": "E", "result-before-call": "E",
        "duplicate-call-id": "E", "reused-id": "E", "partial-call": "-", "missing-arguments": "W", "invalid-tool-name": "W", "invalid-call-id": "E",
        "invalid-call-id:charset": "-", "invalid-call-id:own": "-", "invalid-call-id:long": "W", "empty-message:user": "W", "blank-text": "-",
        "text-after-call": "-", "missing-content": "-", "unknown-tool-reference": "-", "invalid-image": "W", "unsigned-thinking": "-", "starts-without-user": "-", "lone-surrogate": "W",
    }),
    "copilot": _Like("codex", "GitHub Copilot CLI 1.0.102, resumed sessions", {
        "torn-tail": "W", "unreadable-line": "W", "nul-bytes": "W", "bom": "W", "invalid-utf8": "W", "invalid-utf8:unreadable": "-", "lone-surrogate": "W",
        "duplicate-record": "-", "missing-ordinal": "-", "broken-lineage": "-", "duplicate-ordinal": "-", "displaced-result": "E", "result-before-call": "W",
        "duplicate-result": "W", "reused-id": "W", "missing-arguments": "W", "invalid-arguments": "W", "invalid-call-id:charset": "W",
        "invalid-call-id:long": "W", "empty-message:user": "E", "empty-message:empty-assistant": "I", "blank-text": "-",
        "dangling-reasoning": "-", "foreign-reasoning": "-", "invalid-item": "-", "oversized-request": "-", "invalid-image": "W",
    }),
    "cline": _Like("anthropic", "Cline CLI 3.0.65, resumed sessions", {
        "unanswered-call": "W", "results-not-first": "E", "displaced-result": "E", "result-before-call": "E", "orphan-result": "E",
        "duplicate-result": "E", "duplicate-call-id": "E", "reused-id": "I", "reused-id:anthropic": "E", "ends-with-assistant": "-", "missing-content": "E",
        "missing-arguments": "W", "invalid-arguments": "W", "invalid-tool-name": "E", "invalid-call-id": "E", "starts-without-user:taken": "-",
        "roles-not-alternating": "-", "text-after-call": "-", "nul-bytes": "E", "torn-tail": "E", "invalid-utf8": "W", "lone-surrogate": "W",
        "empty-message:user": "W", "empty-message:blank-assistant": "W", "blank-text": "W", "unknown-tool-reference": "-", "unsigned-thinking": "-",
    }),
    "kimi-code": _Like("openai-chat", "Kimi Code 2.1.0, resumed sessions", {
        "torn-tail": "W", "missing-final-newline": "W", "invalid-utf8": "W", "lone-surrogate": "W",
        "orphan-result": "W", "unanswered-call": "W", "displaced-result": "E", "result-before-call": "E", "duplicate-result": "W",
        "empty-message:blank-assistant": "I", "empty-message:empty-assistant": "I", "missing-content": "-", "missing-arguments": "W",
        "missing-reasoning": "-", "image-in-result": "-", "trailing-call:left-open": "I",
    }),
    "roo": _Like("anthropic", "Roo Code, package source", {
        "ends-with-assistant": "-", "roles-not-alternating": "-", "nul-bytes": "E", "bom": "E", "invalid-utf8": "W",
        "unknown-tool-reference": "-", "unsigned-thinking": "-",
    }, "S"),
    "opencode": _Like("openai-chat", "OpenCode 1.18.33, resumed sessions", {
        "unanswered-call": "I", "unanswered-call:not-sent": "E", "trailing-call": "I", "trailing-call:left-open": "I", "duplicate-call-id": "E", "reused-id:anthropic": "E", "invalid-call-id": "E", "invalid-call-id:long": "-",
        "invalid-call-id:over-40": "-", "invalid-arguments": "E", "empty-message:user": "E", "empty-message:empty-assistant": "-",
        "empty-message:blank-assistant": "-", "blank-text": "-", "starts-without-user": "E", "lone-surrogate": "W", "unreadable-line": "E",
    }),
}  # fmt: skip
_LETTERS = {"E": Severity.ERROR, "W": Severity.WARNING, "I": Severity.INFO, "-": None}


def _build() -> dict[tuple[str, str, str], Cell]:
    cells: dict[tuple[str, str, str], Cell] = {}
    for row in _TABLE.strip().splitlines():
        name, *words = row.split()
        rule, _, variant = name.partition(":")
        half = len(_COLUMNS)
        for column, letter, evidence in zip(_COLUMNS, words[:half], words[half:], strict=True):
            source = _SOURCES.get(rule, {}).get(column) or _SOURCES["*"][column]
            severity = _LETTERS[letter]
            cells[rule, variant, column] = Cell(severity, evidence, source) if severity else NOT_A_RULE
    keys = {(rule, variant) for rule, variant, _ in cells}
    for client, like in _OTHER_CLIENTS.items():
        for rule, variant in keys:
            own = like.rows.get(f"{rule}:{variant}") or like.rows.get(rule)
            base = cells[rule, variant, like.column]
            found = _LETTERS[own] if own else base.severity
            cells[rule, variant, client] = (
                Cell(found, like.evidence if own else base.evidence, like.source) if found else NOT_A_RULE
            )
    return cells | {(rule, variant, TRAINING): _trained_on(rule, variant) for rule, variant in keys}


def _trained_on(rule: str, variant: str) -> Cell:
    """Return the cell of the contract `training`.

    An id that is missing breaks the pair; how one looks is no matter of it.
    """
    pairing = RULES[rule].layer is Layer.PAIRING and rule not in _NOT_TRAINED_ON
    if (rule in _TRAINED_ON or pairing) and not (rule == "invalid-call-id" and variant):
        return Cell(Severity.ERROR, "D", "the contract of `condense scan`")
    return NOT_A_RULE


_CELLS = _build()
_BY_LIMIT = frozenset(
    {"oversized-media", "too-many-media", "oversized-request"}
)  # their variants are tiers of `limits.py`
_OWN_LAYERS = frozenset({Layer.LINE, Layer.HEADER, Layer.TREE, Layer.CONDENSE})


def cell(rule: str, variant: str, contract: str) -> Cell:
    """Return what a contract makes of a rule; a variant without a row of its own takes the rule's."""
    if rule in _BY_LIMIT and variant:
        limit = limit_for(variant, contract)
        return Cell(limit.severity, limit.evidence, limit.source) if limit is not None else NOT_A_RULE
    found = _CELLS.get((rule, variant, contract))
    return found if found is not None else _CELLS.get((rule, "", contract), NOT_A_RULE)


_MINDED = frozenset((rule, contract) for (rule, _, contract), cell in _CELLS.items() if cell.severity is not None)


def rejects(rule: str, contract: str) -> bool:
    """Say whether a contract rejects any variant of a rule."""
    return rule in _BY_LIMIT or (rule, contract) in _MINDED


def variants(rule: str) -> tuple[str, ...]:
    """Return the variants of a rule that have a row, in the order of the table."""
    return tuple(dict.fromkeys(v for r, v, _ in _CELLS if r == rule))


def severity(rule: str, variant: str, contract: str, own: str) -> Severity | None:
    """Return the severity of a finding: what concerns the file itself is judged by the session's own contract."""
    return cell(rule, variant, own if RULES[rule].layer in _OWN_LAYERS else contract).severity
