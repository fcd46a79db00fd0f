package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.policies.identity.StructuredField.Bare;
import gateway.policies.identity.StructuredField.InnerList;
import gateway.policies.identity.StructuredField.Item;
import gateway.policies.identity.StructuredField.Kind;
import gateway.policies.identity.StructuredField.Member;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Signatures as RFC 9421 has them.
record Rfc9421Form(SignatureRules rules) implements SignatureForm {
    private static final String INPUT = "Signature-Input";
    private static final String SIGNATURE = "Signature";
    private static final String DIGEST = "content-digest";
    private static final int LONGEST_SIGNATURE = 2_048; // Base64 of what RSA makes with 8,192 bits, and more
    private static final int LONGEST_TEXT = 256; // of what is looked up or kept
    private static final long LATEST = 253_402_300_799L; // of year 9999, in seconds

    @Override
    public @Nullable String shownAt(Exchange exchange) {
        Headers headers = exchange.headers();
        return headers.contains(INPUT) || headers.contains(SIGNATURE) ? "header:signature" : null;
    }

    @Override
    public void strip(Exchange exchange) {
        exchange.outgoing().headers().remove(INPUT);
        exchange.outgoing().headers().remove(SIGNATURE);
    }

    @Override
    public SignatureClaim read(Exchange exchange, long now) {
        Map<String, Member> inputs =
                StructuredField.dictionary(exchange.headers().all(INPUT));
        Map<String, Member> signatures =
                StructuredField.dictionary(exchange.headers().all(SIGNATURE));
        if (!inputs.keySet().equals(signatures.keySet())) throw new BadSignatureException(SignatureFlaw.LABELS);
        String label = chosen(inputs);
        if (!(inputs.get(label) instanceof InnerList input)) throw new BadSignatureException(SignatureFlaw.MALFORMED);
        long end = end(input, now);
        List<String> covered = covered(input, SignatureForm.hasBody(exchange));
        String keyId = text(input, "keyid").orElseThrow(() -> new BadSignatureException(SignatureFlaw.NO_KEY_ID));
        Optional<String> nonce = text(input, "nonce");
        if (rules.once() && nonce.isEmpty()) throw new BadSignatureException(SignatureFlaw.NO_NONCE);
        return new SignatureClaim(
                keyId,
                text(input, "alg"),
                new SignatureBase(exchange).of(input),
                signature(signatures.get(label)),
                covered,
                covered.contains(DIGEST) ? Optional.of(DIGEST) : Optional.empty(),
                end,
                nonce.orElse(""));
    }

    /// The label of the one signature that counts.
    private String chosen(Map<String, Member> inputs) {
        String chosen = null;
        for (Map.Entry<String, Member> each : inputs.entrySet()) {
            if (rules.label().isPresent() && !rules.label().get().equals(each.getKey())) continue;
            if (rules.tag().isPresent()
                    && !isTagged(each.getValue(), rules.tag().get())) continue;
            if (chosen != null) throw new BadSignatureException(SignatureFlaw.SEVERAL);
            chosen = each.getKey();
        }
        if (chosen == null) throw new BadSignatureException(SignatureFlaw.LABELS);
        return chosen;
    }

    private static boolean isTagged(Member input, String tag) {
        return new Bare(Kind.TEXT, tag).equals(input.parameters().get("tag"));
    }

    /// Names of all that is signed; components that are signed in part only are there once more by that name.
    private List<String> covered(InnerList input, boolean hasBody) {
        var names = new ArrayList<String>(input.items().size());
        var whole = new HashSet<String>();
        for (Item each : input.items()) {
            names.add(each.value().text());
            if (each.parameters().isEmpty()) whole.add(each.value().text());
        }
        rules.requireCovered(whole, hasBody);
        return names;
    }

    private long end(InnerList input, long now) {
        long created = seconds(input, "created").orElseThrow(() -> new BadSignatureException(SignatureFlaw.NO_TIME));
        Optional<Long> expires = seconds(input, "expires");
        if (expires.isPresent() && expires.get() <= created) throw new BadSignatureException(SignatureFlaw.TIMES);
        long skew = rules.clockSkew().toMillis();
        if (created * 1_000 > now + skew) throw new BadSignatureException(SignatureFlaw.NOT_YET_VALID);
        long end = created * 1_000 + rules.maxAge().toMillis() + skew;
        if (expires.isPresent()) end = Math.min(end, expires.get() * 1_000 + skew);
        if (now >= end) throw new BadSignatureException(SignatureFlaw.EXPIRED);
        return end;
    }

    private static Optional<Long> seconds(InnerList input, String name) {
        Bare value = input.parameters().get(name);
        if (value == null) return Optional.empty();
        if (value.kind() != Kind.INTEGER) throw new BadSignatureException(SignatureFlaw.TIMES);
        long seconds = Long.parseLong(value.text());
        if (seconds < 0 || seconds > LATEST) throw new BadSignatureException(SignatureFlaw.TIMES);
        return Optional.of(seconds);
    }

    private static Optional<String> text(InnerList input, String name) {
        Bare value = input.parameters().get(name);
        if (value == null) return Optional.empty();
        if (value.kind() != Kind.TEXT || value.text().length() > LONGEST_TEXT) {
            throw new BadSignatureException(SignatureFlaw.MALFORMED);
        }
        return Optional.of(value.text());
    }

    private static String signature(@Nullable Member found) {
        if (found instanceof Item(Bare value, Map<String, Bare> parameters)
                && parameters.isEmpty()
                && value.kind() == Kind.OCTETS
                && value.text().length() <= LONGEST_SIGNATURE) {
            return value.text();
        }
        throw new BadSignatureException(SignatureFlaw.MALFORMED);
    }
}
