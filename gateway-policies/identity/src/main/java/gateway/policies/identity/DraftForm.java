package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.policies.identity.SignatureRules.RequestTargetForm;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Signatures as draft-cavage-http-signatures has them, in `Authorization`, with what Tyk's clients are used to:
/// another
/// field for `Date`, and the signature percent-encoded.
record DraftForm(SignatureRules rules) implements SignatureForm {
    private static final String FIELD = "Authorization";
    private static final String SCHEME = "Signature ";
    private static final int MOST_COMPONENTS = 64;
    private static final int LONGEST_SIGNATURE = 2_048;

    @Override
    public @Nullable String shownAt(Exchange exchange) {
        for (String each : exchange.headers().all(FIELD)) if (isSignature(each)) return "header:authorization";
        return null;
    }

    private static boolean isSignature(String value) {
        return value.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    }

    @Override
    public void strip(Exchange exchange) {
        if (shownAt(exchange) != null) exchange.outgoing().headers().remove(FIELD);
    }

    @Override
    public SignatureClaim read(Exchange exchange, long now) {
        List<String> lines = exchange.headers().all(FIELD);
        if (lines.size() != 1) throw new BadSignatureException(SignatureFlaw.SEVERAL);
        DraftParameters said = DraftParameters.parse(lines.getFirst().substring(SCHEME.length()));
        String keyId = said.text("keyid").orElseThrow(() -> new BadSignatureException(SignatureFlaw.NO_KEY_ID));
        String signature = signature(said.text("signature").orElse(""));
        List<String> names = names(said.text("headers").orElse("date"));
        rules.requireCovered(covered(names), SignatureForm.hasBody(exchange));
        long end = end(exchange, said, names, now);
        Optional<String> digest = names.contains("digest") ? Optional.of("digest") : Optional.empty();
        if (names.contains("content-digest")) digest = Optional.of("content-digest");
        return new SignatureClaim(
                keyId, said.text("algorithm"), base(exchange, said, names), signature, names, digest, end, signature);
    }

    /// Base64, which some clients percent-encode.
    private static String signature(String sent) {
        if (sent.isEmpty() || sent.length() > LONGEST_SIGNATURE) throw malformed();
        try {
            String plain = sent.indexOf('%') < 0 ? sent : URLDecoder.decode(sent, StandardCharsets.US_ASCII);
            if (StructuredFieldParser.isBase64(plain)) return plain;
        } catch (IllegalArgumentException e) {
            // a percent sign with no digits behind it
        }
        throw malformed();
    }

    private static List<String> names(String headers) {
        List<String> names = List.of(headers.toLowerCase(Locale.ROOT).split(" ", -1));
        if (names.size() > MOST_COMPONENTS) throw new BadSignatureException(SignatureFlaw.COMPONENT);
        if (new HashSet<>(names).size() < names.size()) throw new BadSignatureException(SignatureFlaw.COMPONENT);
        return names;
    }

    /// What stands for `Date` covers it.
    private Set<String> covered(List<String> names) {
        Set<String> covered = new HashSet<>(names);
        if (rules.dateHeader().filter(covered::contains).isPresent()) covered.add("date");
        return covered;
    }

    private String base(Exchange exchange, DraftParameters said, List<String> names) {
        var base = new StringBuilder(256);
        for (String each : names) {
            if (!base.isEmpty()) base.append('\n');
            switch (each) {
                case "(request-target)" -> base.append(each).append(": ").append(target(exchange));
                case "(created)" -> base.append(each).append(": ").append(number(said, "created"));
                case "(expires)" -> base.append(each).append(": ").append(number(said, "expires"));
                case "date" -> {
                    String sent = dateField(exchange);
                    base.append(sent).append(": ").append(SignatureForm.value(exchange, sent));
                }
                default -> base.append(each).append(": ").append(SignatureForm.value(exchange, each));
            }
        }
        return base.toString();
    }

    private String target(Exchange exchange) {
        String method = exchange.method().toLowerCase(Locale.ROOT);
        String query = exchange.head().query();
        boolean whole = rules.target() == RequestTargetForm.PATH_AND_QUERY && !query.isEmpty();
        return method + ' ' + exchange.rawPath() + (whole ? '?' + query : "");
    }

    private String dateField(Exchange exchange) {
        return rules.dateHeader()
                .filter(name -> exchange.headers().contains(name))
                .orElse("date");
    }

    private static String number(DraftParameters said, String name) {
        return said.text(name).orElseThrow(() -> new BadSignatureException(SignatureFlaw.COMPONENT));
    }

    /// Only times that are signed count.
    private long end(Exchange exchange, DraftParameters said, List<String> names, long now) {
        long end = Long.MAX_VALUE;
        if (names.contains("date") || covered(names).contains("date")) {
            end = end(date(SignatureForm.value(exchange, dateField(exchange))), now);
        }
        if (names.contains("(created)")) end = Math.min(end, end(seconds(number(said, "created")), now));
        if (end == Long.MAX_VALUE) throw new BadSignatureException(SignatureFlaw.NO_TIME);
        if (names.contains("(expires)")) end = Math.min(end, seconds(number(said, "expires")));
        if (now >= end) throw new BadSignatureException(SignatureFlaw.EXPIRED);
        return end;
    }

    private long end(long signed, long now) {
        long skew = rules.clockSkew().toMillis();
        if (signed > now + skew) throw new BadSignatureException(SignatureFlaw.NOT_YET_VALID);
        return signed + skew;
    }

    private static long seconds(String digits) {
        return Long.parseLong(digits) * 1_000;
    }

    private static long date(String value) {
        String zoned = value.endsWith(" UTC") ? value.substring(0, value.length() - 3) + "GMT" : value;
        try {
            return DateTimeFormatter.RFC_1123_DATE_TIME
                    .parse(zoned, Instant::from)
                    .toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            throw new BadSignatureException(SignatureFlaw.TIMES);
        }
    }

    private static BadSignatureException malformed() {
        return new BadSignatureException(SignatureFlaw.MALFORMED);
    }
}
