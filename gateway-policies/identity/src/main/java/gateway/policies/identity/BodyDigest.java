package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.policies.identity.StructuredField.Bare;
import gateway.policies.identity.StructuredField.Item;
import gateway.policies.identity.StructuredField.Kind;
import gateway.policies.identity.StructuredField.Member;
import gateway.policy.AnswerCondition;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.Condition;
import gateway.policy.OnOutage;
import gateway.policy.Policy;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyLayer;
import gateway.policy.PolicyMode;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// Compares bodies with the digests that were signed (RFC 9530, and `Digest` of RFC 3230). A step of its own behind the
/// signature: a body is held once it is known whose it is, as large as the API takes it.
final class BodyDigest {
    /// The fact that says in which field the digest stands that was signed.
    static final String FACT = "http-signature:digest";

    static final PolicyDefinition STEP = new PolicyDefinition(
            FACT,
            "http-signature",
            Stage.AUTHORIZE,
            new Comparison(),
            Condition.ALWAYS,
            AnswerCondition.ALWAYS,
            OnOutage.DENY,
            PolicyMode.ENFORCE,
            false,
            PolicyLayer.BROUGHT,
            "");

    private static final long MOST_BYTES = 16 << 20;
    private static final JsonPointer PLACE = JsonPointer.compile("/" + FACT);
    private static final Map<String, String> ALGORITHMS = Map.of("sha-256", "SHA-256", "sha-512", "SHA-512");

    private BodyDigest() {}

    private record Comparison() implements PolicySpec {
        @Override
        public BodyUse bodyUse() {
            return BodyUse.ofRequests(BodyAccess.held(MOST_BYTES)
                    .only((fields, _) -> fields.contains("Content-Digest") || fields.contains("Digest")));
        }

        @Override
        public Policy compile(PolicyPlace place, Services services) {
            String challenge = "Signature realm=\"" + place.api() + '"';
            return exchange -> {
                Optional<JsonNode> field = exchange.fact(PLACE);
                if (field.isEmpty() || matches(exchange, field.get().stringValue())) return Verdict.proceed();
                return Verdict.stop(
                        Problem.of("unauthenticated", 401, "Authentication required", "The signature is invalid")
                                .toResponse(exchange.requestId())
                                .with("WWW-Authenticate", challenge));
            };
        }
    }

    private static boolean matches(Exchange exchange, String field) {
        byte[] content = SignatureForm.hasBody(exchange)
                ? exchange.held().map(HeldBody::content).orElse(null)
                : new byte[0];
        if (content == null) return false; // a stream without an end
        try {
            List<String> lines = exchange.headers().all(field);
            return matches(content, field.equals("digest") ? ofDigest(lines) : ofContentDigest(lines));
        } catch (BadSignatureException e) {
            return false;
        }
    }

    /// Whether one of the digests is understood, and all that are hold.
    private static boolean matches(byte[] content, Map<String, String> digests) {
        boolean understood = false;
        for (Map.Entry<String, String> each : digests.entrySet()) {
            @Nullable String algorithm = ALGORITHMS.get(each.getKey());
            if (algorithm == null) continue;
            if (!Base64.getEncoder().encodeToString(digest(algorithm, content)).equals(each.getValue())) return false;
            understood = true;
        }
        return understood;
    }

    private static Map<String, String> ofContentDigest(List<String> lines) {
        var digests = new HashMap<String, String>();
        for (Map.Entry<String, Member> each : StructuredField.dictionary(lines).entrySet()) {
            if (!(each.getValue() instanceof Item(Bare value, Map<String, Bare> _)) || value.kind() != Kind.OCTETS)
                throw new BadSignatureException(SignatureFlaw.DIGEST);
            digests.put(each.getKey(), value.text());
        }
        return digests;
    }

    /// `SHA-256=…,SHA-512=…`
    private static Map<String, String> ofDigest(List<String> lines) {
        var digests = new HashMap<String, String>();
        for (String each : String.join(",", lines).split(",", -1)) {
            String text = SignatureForm.trimmed(each);
            int equal = text.indexOf('=');
            if (equal < 0) throw new BadSignatureException(SignatureFlaw.DIGEST);
            String name = text.substring(0, equal).toLowerCase(Locale.ROOT);
            if (digests.put(name, text.substring(equal + 1)) != null) {
                throw new BadSignatureException(SignatureFlaw.DIGEST);
            }
        }
        return digests;
    }

    private static byte[] digest(String algorithm, byte[] content) {
        try {
            return MessageDigest.getInstance(algorithm).digest(content);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has " + algorithm, e);
        }
    }
}
