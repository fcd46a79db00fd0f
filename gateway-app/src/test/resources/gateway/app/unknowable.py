"""Data that the document allows is refused with 422 only for what no schema knows."""

import re

import schemathesis

# What a refusal begins with. Whatever else is refused the schema has to tell.
REASONS = {
    "what stands elsewhere: in other documents, fields and elements": (
        r'expected ".*" as in the URL',
        r"unknown (plan|policy set|policy type|resource)",
        r".*there is no (?!\")",
        r"the id |the global policies have problems",
        r"expected (the name of a version in list|a default to fall back to|a branch of the upstream)",
        r'expected (a host that "hosts" lists|variables that are set|a prefix that namespaces declares)',
        r"expected every placeholder that the call uses|expected \S+ among the policies of the API",
        r"expected a name, since there is no URL to take it of",
        r"expected nothing about the body, which has streamed past",
        r"expected nothing, since \S+ counts before there is an answer|expected only with policies that count",
        r'expected "enforce", since this \S+ does more than refuse',
        r"expected a certificate in \"tls\"|expected nothing, since no target begins with https",
        r'expected ("h2", "auto"|"h2c") or "http1", since a target|expected "h2", "auto" or "http1", since a target',
    ),
    "one value beside another: more, later, the same": (
        r"expected at (least|most) \"(backoff|for|interval|refresh|time|timeout|total)\"",
        r"expected no more than \"max\"|expected percentages of 100 or less in all",
        r"expected a time (not before deprecatedSince|not after expires|after \"from\")",
        r"expected another time than \"from\"|expected different paths for",
        r"expected no pointer into what another names|expected at most \d+ steps that open the same part",
        r"expected words and literals of at most \d+ characters in all",
        r"expected at most \d+ (operations|policies), (got|those of used sets among them)",
    ),
    "fields that go together, of which the tool gives the whole schema up": (
        r"expected \"(value|to)\" beside it|expected nothing, since this operation has none|expected one place, without",
        r"expected nothing, since its keys are not fetched",
        r'expected https://, since "allowPlaintext" is not true',
    ),
    "something is there twice that is told by a part of it": (
        r".*(stands twice|is there twice|is bound twice|is taken)$|same match|another policy of this list",
        r"a form before it has its media type",
        r"expected each (name|id|issuer|client|component) once|expected an issuer in each of several",
        r"expected no method twice",
    ),
    "a secret cannot be had, or is none of its kind": (
        r"expected the (secret|value)\b|expected text of 8 bytes|.*GATEWAY_SECRET|the secret that is written",
        r"expected (a secret of at least|a key for|a private key)",
    ),
    "keys, certificates and hashes": (
        r"expected (PEM|metadata) of|expected a (public )?key (for|of)|expected a strong|expected the public key",
        r"expected a public key or certificate",
    ),
    "addresses that this gateway may not call, and bits of one past its network": (
        r"expected an address that the gateway may call|bits set past the prefix|expected a prefix of",
    ),
    "languages of their own": (
        r"expected a (regular expression|JSON path such as|time zone such as|name such as \"CN=)",
        r"expected \"\$\" before a group of the expression|the expression ",
        r"expected \"\}\" after \"\{\"|unknown placeholder|expected at most \d+ placeholders",
        r"expected a path, percent-encoded|expected a path: |expected a query that is percent-encoded",
        r"expected (no script and no style|placeholders in the text|JSON, XML, HTML or text/plain for a template)",
        r"expected the name of an element|expected prefixes, |expected names of parameters, ",
        r"expected a media type such as text/xml; charset|expected an LDAP|expected a filter",
        r"expected a script|the script |expected a template|expected at most \d+ characters for a template",
    ),
    "documents within the document: schemas, OpenAPI, JOLT, patches": (
        r"expected an operation of a JSON Patch|expected the operation to be one of|expected \"spec\" beside",
        r"expected (no path with|indexes of|keys and paths of|at most two|no index)|body, |document, |path, ",
        r"expected (a schema|the id of|a reference|a number|an integer|paths|a status such as 200|a parameter|a style)",
        r"expected (an OpenAPI document of|query, path, header or cookie|a media type$|the parameter)",
    ),
    "there are more": (r"and \d+ more",),
}
LEFT_OUT = "/apis/left-out/"  # stored and no definition: what takes all that is stored is refused for it
PATTERNS = [re.compile(each, re.DOTALL) for reasons in REASONS.values() for each in reasons]


def is_unknowable(message):
    return any(each.match(message) for each in PATTERNS)


@schemathesis.check
def refused_for_what_no_schema_knows(ctx, response, case):
    if response.status_code != 422 or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    errors = [(each["pointer"], each["message"]) for each in response.json()["errors"]]
    told = [f"{pointer}: {message}" for pointer, message in errors
            if not pointer.startswith(LEFT_OUT) and not is_unknowable(message)]
    assert not told, "the document allows what is refused: " + "; ".join(told)
