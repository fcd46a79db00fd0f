"""Issues responses with pysaml2: its metadata on the first line, then a name and a response on each, in Base64."""
import base64
import logging
import sys
import time

from saml2 import BINDING_HTTP_POST
from saml2.config import IdPConfig
from saml2.metadata import entity_descriptor, sign_entity_descriptor
from saml2.saml import NAMEID_FORMAT_PERSISTENT, NAME_FORMAT_URI, NameID
from saml2.server import Server
from saml2.sigver import security_context
from saml2.xmldsig import DIGEST_SHA256, DIGEST_SHA512, SIG_RSA_SHA1, SIG_RSA_SHA256, SIG_RSA_SHA384, SIG_RSA_SHA512
from saml2.xmldsig import DIGEST_SHA1, DIGEST_SHA384

logging.disable(logging.CRITICAL)
xmlsec1, key, certificate = sys.argv[1:4]
RECIPIENT = "https://api.example.com/orders"
SERVICE = """<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="%s">
<md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
<md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="%s" index="0"/>
</md:SPSSODescriptor></md:EntityDescriptor>"""


def told(name, text):
    print(name, base64.b64encode(text.encode()).decode())


def server(minutes):
    return Server(config=IdPConfig().load({
        "entityid": "https://idp.example.com",
        "key_file": key,
        "cert_file": certificate,
        "xmlsec_binary": xmlsec1,
        "service": {"idp": {
            "endpoints": {"single_sign_on_service": [("https://idp.example.com/sso", BINDING_HTTP_POST)]},
            "policy": {"default": {"lifetime": {"minutes": minutes}, "name_form": NAME_FORMAT_URI}},
        }},
        "metadata": {"inline": [SERVICE % (audience, RECIPIENT) for audience in ("urn:orders", "urn:other")]},
    }))


def response(issuer, audience="urn:orders", recipient=RECIPIENT, **signed):
    return str(issuer.create_authn_response(
        identity={"eduPersonAffiliation": ["staff", "member"]},
        in_response_to="id-1",
        destination=recipient,
        sp_entity_id=audience,
        name_id=NameID(format=NAMEID_FORMAT_PERSISTENT, text="alice"),
        authn={"class_ref": "urn:oasis:names:tc:SAML:2.0:ac:classes:Password", "authn_instant": int(time.time())},
        **signed))


issuer = server(5)
told("metadata", sign_entity_descriptor(entity_descriptor(issuer.config), None, security_context(issuer.config),
                                      SIG_RSA_SHA256, DIGEST_SHA256)[1])
for algorithm, digest in ((SIG_RSA_SHA256, DIGEST_SHA256), (SIG_RSA_SHA384, DIGEST_SHA384),
                          (SIG_RSA_SHA512, DIGEST_SHA512)):
    by = {"sign_alg": algorithm, "digest_alg": digest}
    told("good", response(issuer, sign_assertion=True, sign_response=False, **by))
    told("good", response(issuer, sign_assertion=False, sign_response=True, **by))
    told("good", response(issuer, sign_assertion=True, sign_response=True, **by))
good = response(issuer, sign_assertion=True, sign_response=False)
told("bad", good.replace("alice", "admin"))
told("bad", response(issuer, sign_assertion=False, sign_response=False))
told("bad", response(issuer, sign_assertion=True, sign_response=False, sign_alg=SIG_RSA_SHA1, digest_alg=DIGEST_SHA1))
told("bad", response(issuer, audience="urn:other", sign_assertion=True, sign_response=False))
told("bad", response(issuer, recipient="https://evil.example.com/", sign_assertion=True, sign_response=False))
told("bad", response(server(-5), sign_assertion=True, sign_response=False))
