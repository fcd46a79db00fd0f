"""A security token service (WS-Trust): an assertion is valid when signxml says so of its signature and its name is not `carol`.

Tells its port on the first line, then a verdict for each question."""
import sys
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from lxml import etree
from signxml import SignatureConfiguration, XMLVerifier
from signxml.exceptions import InvalidInput, InvalidSignature

CERTIFICATE = open(sys.argv[1]).read()
TRUST = "http://docs.oasis-open.org/ws-sx/ws-trust/200512"
KEYS_ONLY = SignatureConfiguration(verification_time=datetime(2024, 6, 1, tzinfo=timezone.utc))  # its certificate is over
NAMES = {"s": "http://www.w3.org/2003/05/soap-envelope", "t": TRUST, "a": "http://www.w3.org/2005/08/addressing",
         "saml": "urn:oasis:names:tc:SAML:2.0:assertion"}
ANSWER = """<s:Envelope xmlns:s="%(s)s" xmlns:t="%(t)s"><s:Body><t:RequestSecurityTokenResponseCollection>
<t:RequestSecurityTokenResponse><t:TokenType>%(t)s/RSTR/Status</t:TokenType><t:Status><t:Code>%(t)s/status/%(word)s</t:Code>
</t:Status></t:RequestSecurityTokenResponse></t:RequestSecurityTokenResponseCollection></s:Body></s:Envelope>"""


def verdict(assertion):
    try:
        XMLVerifier().verify(assertion, x509_cert=CERTIFICATE, id_attribute="ID", expect_config=KEYS_ONLY)
    except (InvalidInput, InvalidSignature) as flaw:
        print(flaw, file=sys.stderr)
        return "invalid"
    return "invalid" if assertion.findtext("./saml:Subject/saml:NameID", None, NAMES) == "carol" else "valid"


def asked(envelope):
    def only(path):
        found = envelope.xpath(path, namespaces=NAMES)
        assert len(found) == 1, path
        return found[0]

    question = "/s:Envelope/s:Body/t:RequestSecurityToken"
    assert only("/s:Envelope/s:Header/a:Action").text == TRUST + "/RST/Validate"
    assert only(question + "/t:RequestType").text == TRUST + "/Validate"
    assert only(question + "/t:TokenType").text == TRUST + "/RSTR/Status"
    return only(question + "/t:ValidateTarget/saml:Assertion")


class Service(BaseHTTPRequestHandler):
    def do_POST(self):
        content = self.rfile.read(int(self.headers["Content-Length"]))
        assert self.headers["Content-Type"].startswith("application/soap+xml")
        assertion = etree.fromstring(etree.tostring(asked(etree.fromstring(content)), with_tail=False))
        word = verdict(assertion)
        print(word, flush=True)
        answer = (ANSWER % {**NAMES, "word": word}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/soap+xml; charset=utf-8")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


service = ThreadingHTTPServer(("127.0.0.1", 0), Service)
print(service.server_port, flush=True)
service.serve_forever()
