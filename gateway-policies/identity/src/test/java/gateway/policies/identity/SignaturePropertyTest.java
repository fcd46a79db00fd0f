package gateway.policies.identity;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.json.ConfigNode;
import gateway.policy.FakeServices;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.Verdict;
import gateway.service.SecretReference.Origin;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;

/// Signed requests of which one character is another, is gone or is there twice.
final class SignaturePropertyTest {
    private static final String SECRET = "0123456789abcdef".repeat(2);
    private static final String PATH = "/orders/7";
    private static final String QUERY = "x=1&y=%7e";
    private static final String FIELD = "one, two=2";

    private final FakeServices services = new FakeServices();
    private final Policy policy;
    private final String input;
    private final String signature;

    SignaturePropertyTest() {
        services.secrets().put(Origin.SECRET, "s", SECRET);
        var node = ConfigNode.parse("""
                {"keys": [{"id": "k", "algorithm": "hmac-sha256", "secret": {"secret": "s"}}]}""");
        policy = new HttpSignature.Type().read(node).compile(new PolicyPlace("orders", "http-signature"), services);
        long now = services.clock().millis() / 1_000;
        input = "sig1=(\"@method\" \"@authority\" \"@path\" \"@query\" \"x-field\");created=" + now
                + ";keyid=\"k\";nonce=\"n-1\";alg=\"hmac-sha256\"";
        String base = "\"@method\": GET\n\"@authority\": api.example.com\n\"@path\": " + PATH + "\n\"@query\": ?"
                + QUERY + "\n\"x-field\": " + FIELD + "\n\"@signature-params\": " + input.substring("sig1=".length());
        signature = "sig1=:" + MessageSmith.sharing("hmac-sha256", SECRET).sign(base) + ':';
    }

    @Property(tries = 5_000)
    void nothing_passes_but_what_was_signed(
            @ForAll @IntRange(min = 0, max = 4) int where,
            @ForAll @IntRange(min = 0, max = 400) int position,
            @ForAll @IntRange(min = 0, max = 2) int how,
            @ForAll @CharRange(from = ' ', to = '~') char other) {
        var sent = List.of(input, signature, PATH, QUERY, FIELD);
        String before = sent.get(where);
        String after = changed(before, position % before.length(), how, other);

        assertThat(passes(with(sent, where, after)))
                .as("%s instead of %s", after, before)
                .isEqualTo(isSame(where, before, after));
    }

    private static List<String> with(List<String> sent, int where, String text) {
        var changed = new ArrayList<>(sent);
        changed.set(where, text);
        return changed;
    }

    private static String changed(String text, int at, int how, char other) {
        String begin = text.substring(0, at);
        String end = text.substring(at + 1);
        return switch (how) {
            case 0 -> begin + other + end;
            case 1 -> begin + end;
            default -> begin + text.charAt(at) + other + end;
        };
    }

    /// What differs in nothing that is signed: blanks where fields may have them, and the number of zeros before one.
    private static boolean isSame(int where, String before, String after) {
        if (before.equals(after)) return true;
        if (where >= 2) return where == 4 && before.equals(after.strip());
        try {
            return StructuredField.dictionary(List.of(before)).equals(StructuredField.dictionary(List.of(after)));
        } catch (BadSignatureException e) {
            return false;
        }
    }

    private boolean passes(List<String> sent) {
        var exchange = Exchanges.get(sent.get(2) + '?' + sent.get(3))
                .with("Signature-Input", sent.get(0))
                .with("Signature", sent.get(1))
                .with("X-Field", sent.get(4))
                .make();
        return policy.apply(exchange) instanceof Verdict.Proceed;
    }
}
