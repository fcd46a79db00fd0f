package gateway.policies.identity;

import com.google.auto.service.AutoService;
import gateway.config.SecretReader;
import gateway.json.ConfigNode;
import gateway.policies.cryptography.XmlSignatureAlgorithm;
import gateway.policies.standard.KeyedCallers;
import gateway.policy.BodyUse;
import gateway.policy.Dependency;
import gateway.policy.Policy;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.service.SecretReference;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Lets only callers pass with a SAML 2.0 assertion that an issuer the definition knows has signed for this audience:
/// 401 without one that is good now.
///
/// @param decryption the private key that opens encrypted assertions; empty: those are refused
/// @param validation who is asked whether an assertion that holds by itself is valid; empty: nobody
/// @param remove take the assertion out of what the upstream gets
public record Saml(
        SamlSource.Kind from,
        SamlTrust trust,
        Set<XmlSignatureAlgorithm> algorithms,
        AssertionRules rules,
        ConsumerClaims consumer,
        Optional<SecretReference> decryption,
        Optional<SecurityTokenService> validation,
        boolean remove)
        implements PolicySpec {
    public Saml {
        algorithms = Set.copyOf(algorithms);
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        return SamlAuthentication.compile(this, placement, services);
    }

    /// Waits for servers and stores, and for workers, who do its cryptography.
    @Override
    public boolean callsOut(Services services) {
        return true;
    }

    @Override
    public BodyUse bodyUse() {
        return SamlSource.of(from).bodyUse();
    }

    @Override
    public Set<Dependency> dependencies() {
        var found = new HashSet<Dependency>();
        trust.server().ifPresent(server -> found.add(new Dependency.Server(server.name())));
        validation.ifPresent(
                service -> found.add(new Dependency.Server(service.target().name())));
        if (consumer.key().isPresent()) found.add(Dependency.Store.KEYS);
        if (rules.once()) found.add(Dependency.Store.SHORT_TERM);
        return found;
    }

    @Override
    public Optional<String> sideEffect() {
        if (validation.isPresent())
            return Optional.of("it calls " + validation.get().target().name());
        return rules.once() ? Optional.of("it takes each assertion once") : Optional.empty();
    }

    @Override
    public List<PolicyDefinition> brings() {
        return consumer.key().isPresent() ? KeyedCallers.limits() : List.of();
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        private static final int LONGEST = 1_024;

        @Override
        public String name() {
            return "saml";
        }

        @Override
        public Stage stage() {
            return Stage.AUTHENTICATE;
        }

        @Override
        public Saml read(ConfigNode node) {
            var from = node.field(
                    "from",
                    "where it stands: `Authorization: SAML …`, the field `SAMLResponse` of a form,"
                            + " or the `Security` header of a SOAP message");
            if (!from.isPresent()) from.expected("where it stands");
            SamlSource.Kind kind = from.choice(SamlSource.Kind.HEADER);
            var remove = node.field("remove", "take it out of what the upstream gets")
                    .unlessGiven("true for `header`, else false");
            return new Saml(
                    kind,
                    SamlTrust.read(node.field("trust", "whose assertions are taken")),
                    algorithms(node.field("algorithms", "by which they may be signed")
                            .unlessGiven("all")),
                    rules(node, kind),
                    ConsumerClaims.read(
                            node.field("consumer", "what says who calls: `name-id`, `attribute:<name>`"), "name-id"),
                    decryption(node.field(
                            "decrypt", "a private key for RSA (PEM, PKCS #8) that opens encrypted ones; else refused")),
                    validation(node.field(
                            "validate", "a security token service that says whether they are valid (WS-Trust)")),
                    remove.bool(kind == SamlSource.Kind.HEADER));
        }

        private static Optional<SecretReference> decryption(ConfigNode field) {
            return field.isPresent() ? Optional.of(SecretReader.read(field)) : Optional.empty();
        }

        private static Optional<SecurityTokenService> validation(ConfigNode field) {
            return field.isPresent() ? Optional.of(SecurityTokenService.read(field)) : Optional.empty();
        }

        private static AssertionRules rules(ConfigNode node, SamlSource.Kind kind) {
            boolean form = kind == SamlSource.Kind.FORM;
            var recipient = node.field(
                            "recipient", "where they are shown, as their `Recipient` says; needed for `form`")
                    .unlessGiven("not asked");
            node.neededWhere("recipient", "from", false, "form");
            if (form && !recipient.isPresent())
                recipient.problem("expected the URL of this API, since from is form, got nothing");
            return new AssertionRules(
                    node.field("trust").field("issuer").text(""),
                    bounded(node.field("audience", "for whom they are, as their `Audience` says")),
                    recipient.isPresent() ? Optional.of(bounded(recipient)) : Optional.empty(),
                    node.field("maxAge", "since the user logged in, or since they were made where they do not say when")
                            .duration(Duration.ofSeconds(1), Duration.ofDays(366), Duration.ofHours(1)),
                    node.field("clockSkew", "by how much clocks may differ")
                            .duration(Duration.ZERO, Duration.ofMinutes(5), Duration.ofSeconds(30)),
                    node.field("boundTo", "`certificate`: only of holders of a key, by their client certificate")
                            .choice(TokenBinding.NONE),
                    node.field("once", "take each assertion once, by its `ID`").bool(true),
                    form);
        }

        private static String bounded(ConfigNode field) {
            String text = field.requiredText();
            field.extent(0, LONGEST);
            if (text.length() > LONGEST)
                field.problem("expected at most " + LONGEST + " characters, got " + text.length());
            return text;
        }

        private static Set<XmlSignatureAlgorithm> algorithms(ConfigNode field) {
            if (!field.isPresent()) return EnumSet.allOf(XmlSignatureAlgorithm.class);
            Set<XmlSignatureAlgorithm> found = EnumSet.noneOf(XmlSignatureAlgorithm.class);
            for (Optional<XmlSignatureAlgorithm> each : field.list(Type::algorithm)) each.ifPresent(found::add);
            field.extent(1, Integer.MAX_VALUE);
            if (found.isEmpty()) field.problem("expected at least one algorithm, got none");
            return found;
        }

        private static Optional<XmlSignatureAlgorithm> algorithm(ConfigNode node) {
            String word = node.only(XmlSignatureAlgorithm.words()).requiredText();
            Optional<XmlSignatureAlgorithm> found = XmlSignatureAlgorithm.of(word);
            if (found.isEmpty() && !word.isEmpty()) {
                node.problem("expected one of " + String.join(", ", XmlSignatureAlgorithm.words()) + ", got \"" + word
                        + '"');
            }
            return found;
        }
    }
}
