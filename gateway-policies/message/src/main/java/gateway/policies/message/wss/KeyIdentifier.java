package gateway.policies.message.wss;

import gateway.json.InvalidConfigException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.security.auth.x500.X500Principal;
import org.w3c.dom.Element;

/// How a message says which certificate a key has (X.509 Token Profile 1.1 §3.2).
enum KeyIdentifier {
    /// The certificate stands in the header.
    TOKEN,
    ISSUER_SERIAL,
    /// What the certificate itself names its key by.
    SKI,
    THUMBPRINT;

    /// @throws InvalidConfigException when the certificate has none
    void requireIn(X509Certificate certificate) {
        if (this == SKI && KeyHint.subjectKey(certificate).isEmpty()) {
            throw new InvalidConfigException("", "expected a certificate with a subject key identifier");
        }
    }

    /// Writes it below `parent`; a certificate into the `Security` header.
    Element addedTo(Element parent, X509Certificate certificate, Element security, SoapMessage message) {
        Element reference = SecurityName.TOKEN_REFERENCE.addedTo(parent);
        switch (this) {
            case TOKEN -> {
                Element token = SecurityName.BINARY_TOKEN.madeFor(security);
                SoapMessage.insert(security, token);
                token.setAttributeNS(null, "EncodingType", SecurityName.BASE64);
                token.setAttributeNS(null, "ValueType", SecurityName.X509);
                token.setTextContent(base64(certificate));
                Element pointer = SecurityName.wsse("Reference").addedTo(reference);
                pointer.setAttributeNS(
                        null, "URI", '#' + message.idOf(token, "X509").getValue());
                pointer.setAttributeNS(null, "ValueType", SecurityName.X509);
            }
            case ISSUER_SERIAL -> {
                Element data = SecurityName.dsig("X509Data").addedTo(reference);
                Element both = SecurityName.dsig("X509IssuerSerial").addedTo(data);
                SecurityName.dsig("X509IssuerName")
                        .addedTo(both)
                        .setTextContent(certificate.getIssuerX500Principal().getName(X500Principal.RFC2253));
                SecurityName.dsig("X509SerialNumber")
                        .addedTo(both)
                        .setTextContent(certificate.getSerialNumber().toString());
            }
            case SKI ->
                identifier(
                        reference,
                        SecurityName.SUBJECT_KEY,
                        KeyHint.subjectKey(certificate).orElseThrow());
            case THUMBPRINT -> identifier(reference, SecurityName.THUMBPRINT, KeyHint.thumbprint(certificate));
        }
        return reference;
    }

    private static void identifier(Element reference, String type, String base64) {
        Element identifier = SecurityName.wsse("KeyIdentifier").addedTo(reference);
        identifier.setAttributeNS(null, "EncodingType", SecurityName.BASE64);
        identifier.setAttributeNS(null, "ValueType", type);
        identifier.setTextContent(base64);
    }

    private static String base64(X509Certificate certificate) {
        try {
            return Base64.getEncoder().encodeToString(certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("a certificate that was read is written", e);
        }
    }
}
