# Says of each request whether openapi-core takes it: {"document": …, "requests": [[method, path, query, headers, body]]}
# on the input, a list of verdicts on the output.
import json
import sys
from urllib.parse import parse_qsl

from openapi_core import OpenAPI
from openapi_core.testing import MockRequest
from werkzeug.datastructures import Headers, ImmutableMultiDict

given = json.load(sys.stdin)
openapi = OpenAPI.from_dict(given["document"])
verdicts = []
for method, path, query, headers, body in given["requests"]:
    cookies = dict(pair.split("=", 1) for pair in headers.pop("Cookie", "").split("; ") if pair)
    content_type = headers.pop("Content-Type", "")
    request = MockRequest(
        "http://127.0.0.1",
        method.lower(),
        path,
        args=ImmutableMultiDict(parse_qsl(query, keep_blank_values=True)),
        headers=headers,
        cookies=cookies,
        data=body.encode("latin-1") if body else None,
        content_type=content_type,
    )
    try:
        openapi.validate_request(request)
        verdicts.append("taken")
    except Exception as error:
        verdicts.append(type(error).__name__ + " " + str(error) + " " + str(error.__cause__))
json.dump(verdicts, sys.stdout)
