package gateway.policies.standard;

import gateway.http.ClientCertificate;
import gateway.http.Consumer;
import gateway.json.ConfigNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;

/// A client that is known by its certificate.
///
/// @param sha256 of the certificate, lower case; or else `subject`
/// @param key the id of the API key that it stands for; empty: it is a caller of its own
/// @param name of a caller of its own; empty: the subject's
public record CertificateClient(
        Optional<String> sha256,
        Optional<X500Principal> subject,
        Optional<String> key,
        Optional<String> name,
        List<String> tags,
        Map<String, String> metadata) {
    private static final Pattern FINGERPRINT = Pattern.compile("(:*[0-9A-Fa-f]){64}:*");
    static final CertificateClient ANYBODY = new CertificateClient(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), List.of(), Map.of());

    public CertificateClient {
        tags = List.copyOf(tags);
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }

    static CertificateClient read(ConfigNode node) {
        node.requireObject();
        var sha256 = node.field("sha256", "of the certificate, as `openssl x509 -fingerprint -sha256` prints it")
                .form("64 hexadecimal digits, colons between them or not");
        var subject = node.field(
                        "subject", "of the certificate, in place of `sha256`; order counts, case and blanks do not")
                .form("name (RFC 4514)");
        var client = new CertificateClient(
                readFingerprint(sha256),
                readSubject(subject),
                text(node.field("key", "the key that the client stands for: what it opens, when it expires, its limits")
                        .form("id of an API key")),
                text(node.field("name", "of a client that stands for no key").unlessGiven("the subject")),
                node.field("tags", "of a client that stands for no key").list(ConfigNode::requiredText),
                node.field("metadata", "of a client that stands for no key").map(ConfigNode::text));
        node.one("sha256", "subject").apart("key", "name");
        if (sha256.isPresent() == subject.isPresent())
            node.problem("expected either sha256 or subject, got " + (subject.isPresent() ? "both" : "neither"));
        if (client.key.isPresent() && node.field("name").isPresent()) {
            node.field("name").problem("expected nothing, since the key has a name");
        }
        node.refuseUnknownFields();
        return client;
    }

    private static Optional<String> text(ConfigNode node) {
        return node.isPresent() ? Optional.of(node.requiredText()) : Optional.empty();
    }

    private static Optional<String> readFingerprint(ConfigNode node) {
        if (!node.isPresent()) return Optional.empty();
        String text = node.like(FINGERPRINT).requiredText();
        String digits = text.replace(":", "").toLowerCase(Locale.ROOT);
        if (!text.isEmpty() && !digits.matches("[0-9a-f]{64}")) {
            node.expected("the SHA-256 of a certificate, 64 hexadecimal digits");
        }
        return Optional.of(digits);
    }

    private static Optional<X500Principal> readSubject(ConfigNode node) {
        if (!node.isPresent()) return Optional.empty();
        String text = node.requiredText();
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(new X500Principal(text));
        } catch (IllegalArgumentException e) {
            node.problem("expected a name such as \"CN=billing,O=Example\", got \"" + text + "\"");
            return Optional.empty();
        }
    }

    /// The client as policies further on see the caller.
    Consumer shown(ClientCertificate certificate) {
        return new Caller(this, certificate);
    }

    private record Caller(CertificateClient client, ClientCertificate certificate) implements Consumer {
        @Override
        public String id() {
            return "certificate:" + certificate.sha256();
        }

        @Override
        public String name() {
            return client.name().orElseGet(() -> certificate.subject().getName());
        }

        @Override
        public List<String> tags() {
            return client.tags();
        }

        @Override
        public Map<String, String> metadata() {
            return client.metadata();
        }
    }
}
