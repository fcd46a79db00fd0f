package gateway.policies.message.wss;

import gateway.config.ResourceReader;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.policies.cryptography.PublicKeys;
import gateway.policy.Services;
import gateway.service.ResourceReference;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Certificates, in the definition or stored.
///
/// @param text PEM; empty text: stored
record SoapCertificates(String text, Optional<ResourceReference> stored) {
    private static final int MOST = 64;
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\\s]+)-----END CERTIFICATE-----");

    static SoapCertificates read(ConfigNode field) {
        field.form("PEM text or resource").alternative("text", ConfigNode::requiredText);
        field.alternative("resource", ResourceReader::read);
        if (ResourceReader.isReference(field)) {
            return new SoapCertificates("", Optional.of(ResourceReader.read(field)));
        }
        String text = field.requiredText();
        if (!text.isEmpty() && (inPem(text).isEmpty() || inPem(text).size() > MOST)) field.problem(expected());
        return new SoapCertificates(text, Optional.empty());
    }

    private static String expected() {
        return "expected PEM of 1 to " + MOST + " certificates for RSA from 2,048 bits or NIST curves";
    }

    /// @throws InvalidConfigException when there are none
    List<X509Certificate> all(Services services) {
        List<X509Certificate> found =
                inPem(stored.isEmpty() ? text : services.resource(stored.get()).text());
        if (found.isEmpty() || found.size() > MOST) throw new InvalidConfigException("", expected());
        return found;
    }

    /// None when one of them is none, or has a key that is not strong.
    static List<X509Certificate> inPem(String pem) {
        var found = new ArrayList<X509Certificate>();
        Matcher blocks = BLOCK.matcher(pem);
        while (blocks.find()) {
            Optional<X509Certificate> certificate = ofBase64(blocks.group(1));
            if (certificate.isEmpty()) return List.of();
            found.add(certificate.get());
        }
        return found;
    }

    /// Empty likewise.
    static Optional<X509Certificate> ofBase64(String text) {
        try {
            byte[] content = Base64.getMimeDecoder().decode(text);
            var certificate = (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(content));
            return PublicKeys.of(certificate.getPublicKey(), "", "").map(_ -> certificate);
        } catch (CertificateException | IllegalArgumentException e) {
            return Optional.empty(); // no certificate, no Base64
        }
    }
}
