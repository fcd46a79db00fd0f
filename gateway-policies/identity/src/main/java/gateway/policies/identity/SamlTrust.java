package gateway.policies.identity;

import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.policies.cryptography.KeyOrigin;
import gateway.policies.cryptography.KeyOriginReader;
import gateway.policy.Services;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Whose assertions are taken, and where it is written by which keys they are signed.
///
/// @param issuer as assertions name it
/// @param certificates of the keys that sign, or, where they are fetched, of those that sign what is fetched
/// @param server that tells the keys, where they are not written down
record SamlTrust(String issuer, Optional<WrittenSigners> certificates, Optional<KeyOrigin.Server> server) {
    static final int MOST_SIGNERS = 8;

    private static final int LONGEST_ISSUER = 1_024; // SAML 2.0 Core §8.3.6

    static SamlTrust read(ConfigNode node) {
        node.requireObject();
        var issuer = node.field("issuer", "whose assertions are taken, as their `Issuer` says");
        var certificates = node.field("certificates", "of the keys that may sign: this, `metadata` or `metadataUrl`");
        var metadata = node.field("metadata", "what the issuer tells of itself (SAML 2.0 Metadata)");
        var signedBy = node.field("metadataSignedBy", "certificates whose keys sign what `metadataUrl` tells")
                .unlessGiven("its signature is not asked for");
        String name = issuer.requiredText();
        issuer.extent(1, LONGEST_ISSUER);
        if (name.length() > LONGEST_ISSUER)
            issuer.problem("expected at most " + LONGEST_ISSUER + " characters, got " + name.length());
        Optional<KeyOrigin.Server> server =
                KeyOriginReader.readServer(node, "metadataUrl", "where the issuer tells its metadata");
        long given = Stream.of(certificates, metadata, node.field("metadataUrl"))
                .filter(ConfigNode::isPresent)
                .count();
        node.one("certificates", "metadata", "metadataUrl").beside("metadataUrl", "metadataSignedBy");
        if (given != 1) node.problem("expected one of certificates, metadata and metadataUrl, got " + given);
        if (signedBy.isPresent() && server.isEmpty()) signedBy.problem("expected only with metadataUrl");
        Optional<WrittenSigners> written = Stream.of(
                        WrittenSigners.read(certificates, "certificates", name),
                        WrittenSigners.read(metadata, "metadata", name),
                        WrittenSigners.read(signedBy, "metadataSignedBy", name))
                .flatMap(Optional::stream)
                .findFirst();
        node.refuseUnknownFields();
        return new SamlTrust(name, written, server);
    }

    /// Asked for while a policy is compiled.
    ///
    /// @throws InvalidConfigException when there are none
    SamlSigners signers(Services services) {
        List<SamlSigner> written =
                certificates.map(each -> each.signers(services)).orElse(List.of());
        return server.isPresent()
                ? FetchedSigners.of(new FetchedSigners.Id(server.get(), issuer, written), services)
                : new StoredSigners(written);
    }
}
