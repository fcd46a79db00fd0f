# A client of SOAP 1.1 with WS-Security by zeep: python secure_client.py orders.wsdl kind key certificate certificate-of-the-service
import json
import sys
from datetime import datetime, timedelta, timezone

import xmlsec
import zeep
from zeep.wsse.signature import BinarySignature, MemorySignature, Signature
from zeep.wsse.username import UsernameToken
from zeep.wsse.utils import WSU

wsdl, kind, key, certificate, service = sys.argv[1:]


class Signed:
    """Signs with our key, and verifies what the other side has signed with its own."""

    def __init__(self, how):
        self.ours = how(key, certificate, None, xmlsec.Transform.RSA_SHA256, xmlsec.Transform.SHA256)
        with open(key, "rb") as private, open(service, "rb") as public:
            self.theirs = MemorySignature(private.read(), public.read())

    def apply(self, envelope, headers):
        security = zeep.wsse.utils.get_security_header(envelope)
        now = datetime.now(timezone.utc).replace(microsecond=0, tzinfo=None)
        security.append(
            WSU.Timestamp(
                WSU.Created(now.isoformat() + "Z"), WSU.Expires((now + timedelta(minutes=5)).isoformat() + "Z")
            )
        )
        return self.ours.apply(envelope, headers)

    def verify(self, envelope):
        self.theirs.verify(envelope)
        body = envelope.find("{http://schemas.xmlsoap.org/soap/envelope/}Body")
        changed = body.find(".//{urn:orders}note")
        was, changed.text = changed.text, "bad"
        try:
            self.theirs.verify(envelope)
        except zeep.exceptions.SignatureVerificationFailed:
            changed.text = was
            return envelope
        raise AssertionError("what was changed verifies all the same")


def user(password):
    return UsernameToken("ann", password, use_digest=True, zulu_timestamp=True)


security = {
    "cert": lambda: Signed(BinarySignature),
    "x509": lambda: Signed(Signature),
    "user": lambda: user("a long password"),
    "wrong-user": lambda: user("another password"),
    "none": lambda: None,
}[kind]()
try:
    answer = zeep.Client(wsdl, wsse=security).service.GetOrder(id=2, note="a & <b> é")
    print(json.dumps({"note": answer.note, "verified": True, "changed": False}))
except zeep.exceptions.Fault as fault:
    print(json.dumps({"faultcode": fault.code, "faultstring": fault.message}))
