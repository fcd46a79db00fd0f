package gateway.policies.message.wss;

import gateway.policies.message.xml.XmlTrees;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.w3c.dom.Element;

/// What a message says of the certificate of a key: it chooses among those that are known, and adds none.
sealed interface KeyHint {
    String SUBJECT_KEY_EXTENSION = "2.5.29.14";

    /// Nothing.
    record Nothing() implements KeyHint {}

    /// The certificate itself.
    record Shown(X509Certificate certificate) implements KeyHint {}

    record IssuerSerial(X500Principal issuer, BigInteger serial) implements KeyHint {}

    /// @param base64 of the extension that certificates name their key by
    record SubjectKey(String base64) implements KeyHint {}

    /// @param base64 of the SHA-1 of a certificate: it only chooses
    record Thumbprint(String base64) implements KeyHint {}

    default boolean fits(X509Certificate certificate) {
        return switch (this) {
            case Nothing _ -> true;
            case Shown(X509Certificate shown) -> shown.equals(certificate);
            case IssuerSerial(X500Principal issuer, BigInteger serial) ->
                serial.equals(certificate.getSerialNumber()) && issuer.equals(certificate.getIssuerX500Principal());
            case SubjectKey(String base64) ->
                subjectKey(certificate).filter(base64::equals).isPresent();
            case Thumbprint(String base64) -> thumbprint(certificate).equals(base64);
        };
    }

    /// In Base64; empty when the certificate does not name its key.
    static Optional<String> subjectKey(X509Certificate certificate) {
        byte[] extension = certificate.getExtensionValue(SUBJECT_KEY_EXTENSION);
        int inside = 4; // two headers of an OCTET STRING, of which one holds the other
        if (extension == null || extension.length <= inside || extension.length > 127) return Optional.empty();
        return Optional.of(Base64.getEncoder().encodeToString(Arrays.copyOfRange(extension, inside, extension.length)));
    }

    static String thumbprint(X509Certificate certificate) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1").digest(certificate.getEncoded()));
        } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
            throw new IllegalStateException("a certificate that was read is written, and every Java has SHA-1", e);
        }
    }

    /// Of the `KeyInfo` in `parent`.
    ///
    /// @throws BadSecurityException when it points elsewhere
    static KeyHint in(Element parent, SoapMessage message) {
        Optional<Element> info = SecurityName.KEY_INFO.in(parent);
        if (info.isEmpty()) return new Nothing();
        Element named = only(info.get());
        if (SecurityName.TOKEN_REFERENCE.is(named)) named = only(named);
        if (SecurityName.dsig("X509Data").is(named)) return ofData(named);
        if (SecurityName.wsse("KeyIdentifier").is(named)) return ofIdentifier(named);
        if (SecurityName.wsse("Reference").is(named)) return ofReference(named, message);
        throw new BadSecurityException(SecurityFlaw.STRUCTURE);
    }

    private static Element only(Element parent) {
        List<Element> children = XmlTrees.children(parent);
        if (children.size() != 1) throw new BadSecurityException(SecurityFlaw.STRUCTURE);
        return children.getFirst();
    }

    private static KeyHint ofReference(Element reference, SoapMessage message) {
        Element token = message.referred(reference.getAttributeNS(null, "URI")).getOwnerElement();
        boolean taken = SecurityName.BINARY_TOKEN.is(token)
                && message.requiredSecurity().isSameNode(token.getParentNode())
                && token.getAttributeNS(null, "ValueType").equals(SecurityName.X509)
                && Set.of("", SecurityName.BASE64).contains(token.getAttributeNS(null, "EncodingType"));
        if (!taken) throw new BadSecurityException(SecurityFlaw.STRUCTURE);
        return shown(token);
    }

    private static KeyHint ofIdentifier(Element identifier) {
        String base64 = SecurityName.text(identifier);
        return switch (identifier.getAttributeNS(null, "ValueType")) {
            case SecurityName.SUBJECT_KEY -> new SubjectKey(base64);
            case SecurityName.THUMBPRINT -> new Thumbprint(base64);
            case SecurityName.X509 -> shown(identifier);
            default -> throw new BadSecurityException(SecurityFlaw.STRUCTURE);
        };
    }

    private static KeyHint ofData(Element data) {
        Optional<Element> certificate = SecurityName.dsig("X509Certificate").in(data);
        if (certificate.isPresent()) return shown(certificate.get());
        Optional<Element> subjectKey = SecurityName.dsig("X509SKI").in(data);
        if (subjectKey.isPresent()) return new SubjectKey(SecurityName.text(subjectKey.get()));
        Element named = SecurityName.dsig("X509IssuerSerial").onlyIn(data, SecurityFlaw.STRUCTURE);
        try {
            return new IssuerSerial(
                    new X500Principal(SecurityName.text(
                            SecurityName.dsig("X509IssuerName").onlyIn(named, SecurityFlaw.STRUCTURE))),
                    new BigInteger(SecurityName.text(
                            SecurityName.dsig("X509SerialNumber").onlyIn(named, SecurityFlaw.STRUCTURE))));
        } catch (IllegalArgumentException e) {
            throw new BadSecurityException(SecurityFlaw.STRUCTURE); // no name, no number
        }
    }

    private static KeyHint shown(Element element) {
        return new Shown(SoapCertificates.ofBase64(SecurityName.text(element))
                .orElseThrow(() -> new BadSecurityException(SecurityFlaw.UNKNOWN_KEY)));
    }
}
