package gateway.policies.identity;

import gateway.config.ResourceReader;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.policy.Services;
import gateway.service.ResourceReference;
import java.util.List;
import java.util.Optional;

/// Whose assertions are taken, and where it is written by which keys they are signed.
///
/// @param issuer as assertions name it
/// @param metadata whether `text` is what the issuer tells of itself (SAML 2.0 Metadata), rather than certificates
/// @param text in the definition; empty text: none there
/// @param stored where it is kept instead
record SamlTrust(String issuer, boolean metadata, String text, Optional<ResourceReference> stored) {
    private static final int MOST_SIGNERS = 8;
    private static final int LONGEST_ISSUER = 1_024; // SAML 2.0 Core §8.3.6

    static SamlTrust read(ConfigNode node) {
        node.requireObject();
        var issuer = node.field("issuer", "whose assertions are taken, as their `Issuer` says");
        var certificates = node.field("certificates", "of the keys that may sign: this or `metadata`");
        var metadata = node.field("metadata", "what the issuer tells of itself (SAML 2.0 Metadata)");
        String name = issuer.requiredText();
        if (name.length() > LONGEST_ISSUER) issuer.problem("expected at most " + LONGEST_ISSUER + " characters");
        if (certificates.isPresent() == metadata.isPresent()) {
            node.problem("expected one of certificates and metadata");
        }
        SamlTrust fromCertificates = read(name, certificates, false);
        SamlTrust fromMetadata = read(name, metadata, true);
        node.refuseUnknownFields();
        return metadata.isPresent() ? fromMetadata : fromCertificates;
    }

    private static SamlTrust read(String issuer, ConfigNode field, boolean metadata) {
        field.form(metadata ? "XML text or resource" : "PEM text or resource")
                .alternative("text", ConfigNode::requiredText);
        field.alternative("resource", ResourceReader::read);
        if (ResourceReader.isReference(field)) {
            return new SamlTrust(issuer, metadata, "", Optional.of(ResourceReader.read(field)));
        }
        var trust = new SamlTrust(issuer, metadata, field.text(""), Optional.empty());
        if (!trust.text().isEmpty()) {
            try {
                trust.signers(trust.text());
            } catch (InvalidConfigException e) {
                field.problem(String.valueOf(e.problems().getFirst().message()));
            }
        }
        return trust;
    }

    /// Asked for while a policy is compiled.
    ///
    /// @throws InvalidConfigException when there are none
    List<SamlSigner> signers(Services services) {
        if (stored.isEmpty()) return signers(text);
        String pointer = "/trust/" + (metadata ? "metadata" : "certificates");
        try {
            return signers(services.resource(stored.get()).text());
        } catch (InvalidConfigException e) {
            throw new InvalidConfigException(pointer, e.problems().getFirst().message());
        }
    }

    private List<SamlSigner> signers(String content) {
        Optional<List<SamlSigner>> found =
                metadata ? SamlMetadata.signers(content, issuer) : SamlSigner.readPem(content);
        if (found.isEmpty() || found.get().size() > MOST_SIGNERS) {
            String expected = metadata ? "expected metadata of \"" + issuer + "\" with" : "expected PEM of";
            throw new InvalidConfigException(
                    "", expected + " 1 to " + MOST_SIGNERS + " certificates for RSA from 2,048 bits or NIST curves");
        }
        return found.get();
    }
}
