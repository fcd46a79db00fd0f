"""Verifies requests by http-message-signatures: reads one on each line, and writes what it says of it on one."""
import json
import sys

from cryptography.hazmat.primitives import serialization
from http_message_signatures import HTTPMessageVerifier, HTTPSignatureKeyResolver, algorithms

ALGORITHMS = {
    "ed25519": algorithms.ED25519,
    "rsa-v1_5-sha256": algorithms.RSA_V1_5_SHA256,
    "ecdsa-p256-sha256": algorithms.ECDSA_P256_SHA256,
    "hmac-sha256": algorithms.HMAC_SHA256,
}


class OneKey(HTTPSignatureKeyResolver):
    def __init__(self, name, text):
        self.name = name
        self.text = text.encode()

    def resolve_public_key(self, key_id):
        if key_id != "gateway":
            return None
        return self.text if self.name == "hmac-sha256" else serialization.load_pem_public_key(self.text)


class Message:
    def __init__(self, asked):
        self.method = asked["method"]
        self.url = asked["url"]
        self.headers = asked["headers"]


def verified(asked):
    verifier = HTTPMessageVerifier(
        signature_algorithm=ALGORITHMS[asked["algorithm"]], key_resolver=OneKey(asked["algorithm"], asked["key"]))
    try:
        found = verifier.verify(Message(asked), expect_tag="orders", body=asked["body"].encode(),
                                require_components=("@method", "@authority", "@path", "@query", "content-digest"))
    except Exception as e:
        return "refused: " + str(e)
    return "verified: " + " ".join(found[0].covered_components)


for line in sys.stdin:
    print(verified(json.loads(line)), flush=True)
