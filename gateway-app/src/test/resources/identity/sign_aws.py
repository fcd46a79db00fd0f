"""Signs what it reads, a JSON object a line, by botocore, and writes the signature and all that was signed."""
import json
import sys

from botocore.auth import S3SigV4Auth, SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials


class Streamed(S3SigV4Auth):
    def _should_sha256_sign_payload(self, request):
        return False


for line in sys.stdin:
    asked = json.loads(line)
    credentials = Credentials(asked["accessKey"], asked["secretKey"], asked.get("token"))
    kind = SigV4Auth
    if asked["service"] == "s3":
        kind = Streamed if asked["payload"] == "UNSIGNED-PAYLOAD" else S3SigV4Auth
    auth = kind(credentials, asked["service"], asked["region"])
    request = AWSRequest(
        method=asked["method"],
        url="https://" + asked["host"] + asked["path"] + ("?" + asked["query"] if asked["query"] else ""),
        data=asked["body"].encode(),
        headers={"Host": asked["host"], "X-Amz-Content-SHA256": asked["payload"]},
    )
    request.context["timestamp"] = asked["time"]
    request.headers["X-Amz-Date"] = asked["time"]
    if asked.get("token"):
        request.headers["X-Amz-Security-Token"] = asked["token"]
    text = auth.string_to_sign(request, auth.canonical_request(request))
    auth._inject_signature_to_request(request, auth.signature(text, request))
    print(json.dumps({"authorization": request.headers["Authorization"]}), flush=True)
