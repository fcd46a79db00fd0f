"""Data that the document allows is refused with 422 only for what no schema knows."""

import re

import schemathesis

REASONS = {
    "the id is not that of the URL": r'expected ".*" as in the URL',
    "what is named is not there": r"unknown (plan|policy set|resource)|.*there is no"
    r'|expected (the name of a version in list|a branch of the upstream|a host that "hosts" lists|variables that are set)',
    "a secret cannot be had": r"expected the (secret|value)|expected text of 8 bytes|.*GATEWAY_SECRET|the secret that is written",
    "something is there twice": r".*(stands twice|is there twice|is bound twice|is taken)|same match|another policy of"
    r"|expected (each|an issuer in each)|a form before it",
    "a text has a form of its own": r"expected an? (lower-case |private |public |bcrypt )?(URL|URI|JSON|OpenAPI|media type|type|name|header"
    r"|cookie|host|path|place|time|method|status|scope|query|key|certificate|secret|hash|IP|regular expression|script|operation|schema)\b"
    r'|expected (one word|only characters|printable|PEM|metadata|names|prefixes|days|indexes|"[*$}]|"(api|ip|key|sha256/|var))'
    r"|expected (the (SHA-256|id of|name of an? )|\[|\{|document, |body, |path, |date or |origins, |OpenAPI |30\d, |[A-Z]\S+ or )"
    r"|expected (1 to|at most) \d+ (small |visible |letters|characters|steps|operations|parts)|expected (at most two|text without)"
    r'|the gateway (writes|sends)|the header .* has a meaning|unknown placeholder|.*"\}" after "\{"',
    "fields depend on each other": r"expected (nothing|no|none|only (with|where|in)|either|another|at least \"|https://, since"
    r"|HS algorithms|one, to find|one of |one step|steps in|request, response|schemas, wsdl|\S+ with |.*beside it"
    r"|.* with it|.*among them|(false|true|root|a name|\"\w+\"), since|a certificate in|the URL of this API|percentages"
    r"|every placeholder|\"percent\"|\"h2|`mask`|A128CBC|at least one (of|condition|address|algorithm)|a (status|target) )",
    "bits of an address are none of its network": r"bits set past the prefix|expected a prefix of",
    "there are more": r"and \d+ more",
}
NEVER = r"expected (a duration|a size|a whole number|text,|an array|an object|true or false)|.*got nothing|unknown field"


def is_unknowable(message):
    if re.match(NEVER, message, re.DOTALL):
        return False
    return any(re.match(reason, message, re.DOTALL) for reason in REASONS.values())


@schemathesis.check
def refused_for_what_no_schema_knows(ctx, response, case):
    if response.status_code != 422 or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    errors = [(each["pointer"], each["message"]) for each in response.json()["errors"]]
    told = [f"{pointer}: {message}" for pointer, message in errors if not is_unknowable(message)]
    assert not told, "the document allows what is refused: " + "; ".join(told)
