"""Data that the document allows is refused with 422 only for what no schema knows, or what ours does not tell yet."""

import re

import schemathesis

REASONS = {
    "the id is not that of the URL": r'expected ".*" as in the URL',
    "what is named is not there": r"unknown (plan|policy set|resource)|.*there is no|expected the name of a version in list",
    "a secret cannot be had": r"expected the (secret|value)|expected text of 8 bytes|.*GATEWAY_SECRET",
    "something is there twice": r".*(stands twice|is there twice|is bound twice|is taken)|same match|another policy of",
    "a language of its own": r'expected (a|an|PEM|one|only|printable|") |expected "|.*(public key|certificate|bcrypt|RE2|URL|media type)',
    "fields depend on each other": r"expected (nothing|no|none|only with|either|another|at least one of|.* beside it)",
    "lists of policies, not told yet": r"expected (at least one|at most \d+|\d+ to \d+) (?!targets|branches|forms|condition|window)",
    "there are more": r"and \d+ more",
}
NEVER = r"expected (a duration|a size|a whole number|text,|an array|an object|true or false)|.*got nothing|unknown field"

# These may be refused for more than is told here: bounds of some fields depend on others, texts have forms of their own.
WITH_POLICIES = r"(POST|PUT) /(apis|policy-sets|global|changes|validate)\b"


def is_unknowable(pointer, message):
    if pointer == "/versions/name":  # needed or not by "in", which the schema does not tell yet
        return True
    if re.match(NEVER, message, re.DOTALL):
        return False
    return any(re.match(reason, message, re.DOTALL) for reason in REASONS.values())


@schemathesis.check
def refused_for_what_no_schema_knows(ctx, response, case):
    if re.match(WITH_POLICIES, case.operation.label):
        return
    if response.status_code != 422 or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    errors = [(each["pointer"], each["message"]) for each in response.json()["errors"]]
    told = [f"{pointer}: {message}" for pointer, message in errors if not is_unknowable(pointer, message)]
    assert not told, "the document allows what is refused: " + "; ".join(told)
