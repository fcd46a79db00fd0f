package gateway.policies.identity;

import gateway.config.ResourceReader;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.policy.Services;
import gateway.service.ResourceReference;
import java.util.List;
import java.util.Optional;

/// Certificates, or metadata with some, that stand in a definition or a resource of it.
///
/// @param field where they stand: `metadata`, or one with certificates in PEM
/// @param issuer whose metadata it is
/// @param text in the definition; empty text: none there
/// @param stored where it is kept instead
record WrittenSigners(String field, String issuer, String text, Optional<ResourceReference> stored) {
    /// Empty when nothing stands there.
    static Optional<WrittenSigners> read(ConfigNode node, String field, String issuer) {
        boolean metadata = field.equals("metadata");
        node.form(metadata ? "XML text or resource" : "PEM text or resource")
                .alternative("text", ConfigNode::requiredText);
        node.alternative("resource", ResourceReader::read);
        if (!node.isPresent()) return Optional.empty();
        if (ResourceReader.isReference(node)) {
            return Optional.of(new WrittenSigners(field, issuer, "", Optional.of(ResourceReader.read(node))));
        }
        var written = new WrittenSigners(field, issuer, node.text(""), Optional.empty());
        if (!written.text().isEmpty()) {
            try {
                written.signers(written.text());
            } catch (InvalidConfigException e) {
                node.problem(String.valueOf(e.problems().getFirst().message()));
            }
        }
        return Optional.of(written);
    }

    /// Asked for while a policy is compiled.
    ///
    /// @throws InvalidConfigException when there are none
    List<SamlSigner> signers(Services services) {
        if (stored.isEmpty()) return signers(text);
        try {
            return signers(services.resource(stored.get()).text());
        } catch (InvalidConfigException e) {
            throw new InvalidConfigException(
                    "/trust/" + field, e.problems().getFirst().message());
        }
    }

    private List<SamlSigner> signers(String content) {
        boolean metadata = field.equals("metadata");
        Optional<List<SamlSigner>> found =
                metadata ? SamlMetadata.signers(content, issuer) : SamlSigner.readPem(content);
        if (found.isEmpty() || found.get().size() > SamlTrust.MOST_SIGNERS) {
            String expected = metadata ? "expected metadata of \"" + issuer + "\" with" : "expected PEM of";
            throw new InvalidConfigException(
                    "",
                    expected + " 1 to " + SamlTrust.MOST_SIGNERS
                            + " certificates for RSA from 2,048 bits or NIST curves");
        }
        return found.get();
    }
}
