package gateway.policies.identity;

import com.google.auto.service.AutoService;
import gateway.json.ConfigNode;
import gateway.policies.cryptography.SignatureProfile;
import gateway.policies.standard.KeyedCallers;
import gateway.policy.CredentialFields;
import gateway.policy.Dependency;
import gateway.policy.Policy;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Lets only requests pass that are signed by one whom the definition knows (RFC 9421, or
/// draft-cavage-http-signatures): 401 without a signature that is good now.
///
/// @param keys of those who may sign, where the definition says them
/// @param forwardCredential leave the signature in the request that the upstream sees
public record HttpSignature(SignatureRules rules, KeysOf keysOf, List<MessageSigner> keys, boolean forwardCredential)
        implements PolicySpec {
    /// Where the keys of those who may sign stand.
    enum KeysOf {
        DEFINITION,
        CONSUMERS
    }

    public HttpSignature {
        keys = List.copyOf(keys);
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        return SignatureAuthentication.compile(this, placement, services);
    }

    @Override
    public Set<Dependency> dependencies() {
        var found = new HashSet<Dependency>();
        if (standsForKeys()) found.add(Dependency.Store.KEYS);
        if (rules.once()) found.add(Dependency.Store.SHORT_TERM);
        return found;
    }

    private boolean standsForKeys() {
        return keysOf == KeysOf.CONSUMERS
                || keys.stream().anyMatch(each -> each.apiKey().isPresent());
    }

    @Override
    public Optional<String> sideEffect() {
        return rules.once() ? Optional.of("it takes each signature once") : Optional.empty();
    }

    @Override
    public List<PolicyDefinition> brings() {
        var brought = new ArrayList<PolicyDefinition>();
        brought.add(BodyDigest.STEP);
        if (standsForKeys()) brought.addAll(KeyedCallers.limits());
        return brought;
    }

    @Override
    public CredentialFields credentials() {
        return switch (rules.profile()) {
            case RFC9421 -> new CredentialFields(Set.of("Signature"), Set.of());
            case DRAFT -> CredentialFields.USUAL;
        };
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "http-signature";
        }

        @Override
        public Stage stage() {
            return Stage.AUTHENTICATE;
        }

        private static final String ALGORITHMS_OF_PROFILE = """
                {"if": {"properties": {"profile": {"enum": ["rfc9421", null]}}},
                 "then": {"properties": {"keys": {"items": {"properties": {"algorithm": {"enum": [RFC]}}}}}},
                 "else": {"properties": {"keys": {"items": {"properties": {"algorithm": {"enum": [DRAFT]}}}}}}}
                """.replace(
                        "RFC", MessageSignerReader.words(each -> each.isOf(SignatureProfile.RFC9421)))
                .replace("DRAFT", MessageSignerReader.words(each -> each.isOf(SignatureProfile.DRAFT)));

        @Override
        public HttpSignature read(ConfigNode node) {
            SignatureRules rules = SignatureRulesReader.read(node);
            KeysOf keysOf = node.field(
                            "keysOf",
                            "`consumers`: those are API keys, by whose ids and credentials messages are signed")
                    .choice(KeysOf.DEFINITION);
            node.onlyWhere("keys", "keysOf", true, "definition")
                    .neededWhere("keys", "keysOf", true, "definition")
                    .obeys(ALGORITHMS_OF_PROFILE);
            return new HttpSignature(
                    rules,
                    keysOf,
                    MessageSignerReader.readAll(
                            node.field("keys", "of those who may sign, unless `keysOf` says `consumers`"),
                            rules.profile(),
                            keysOf == KeysOf.DEFINITION),
                    node.field("forwardCredential", "leave the signature in the request that the upstream sees")
                            .bool(false));
        }
    }
}
