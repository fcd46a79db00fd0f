package gateway.policies.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import gateway.http.Exchange;
import gateway.json.Json;
import gateway.policy.Policy;
import gateway.policy.Services;
import gateway.policy.Verdict;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.node.ObjectNode;

/// Shows the upstream a token of the gateway's own about the caller. It is signed once for all that it says and shown
/// for half of its life; signing runs on a worker.
final class OwnTokens implements Policy {
    private static final long MOST_BYTES = 16 << 20;
    private static final int OVERHEAD = 256;
    private static final int LONGEST_VALUE = 4_096;

    private final OwnToken spec;
    private final SigningKey key;
    private final Services services;
    private final Cache<TokenDigest, String> tokens;

    OwnTokens(OwnToken spec, SigningKey key, Services services) {
        this.spec = spec;
        this.key = key;
        this.services = services;
        this.tokens = Caffeine.newBuilder()
                .maximumWeight(MOST_BYTES)
                .weigher((TokenDigest _, String shown) -> OVERHEAD + shown.length())
                .expireAfterWrite(spec.lifetime().dividedBy(2))
                .executor(Runnable::run)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(services.clock().millis()))
                .build();
    }

    @Override
    public Verdict apply(Exchange exchange) {
        Map<String, String> said = said(exchange);
        TokenDigest digest = digest(said);
        String shown = tokens.getIfPresent(digest);
        if (shown == null) {
            shown = services.workers().callBriefly(exchange.api(), () -> signed(said));
            if (!exchange.isSupposed()) tokens.put(digest, shown);
        }
        exchange.outgoing().headers().set(spec.header(), shown);
        return Verdict.proceed();
    }

    /// All that distinguishes one token from another.
    private Map<String, String> said(Exchange exchange) {
        var said = new LinkedHashMap<String, String>();
        exchange.consumer().ifPresent(caller -> said.put("sub", caller.id()));
        spec.claims().forEach((name, template) -> {
            String value = template.render(exchange);
            if (!value.isEmpty() && value.length() <= LONGEST_VALUE) said.put(name, text(value));
        });
        return said;
    }

    /// What the inside of a JSON string says: escaped, it is one text for each value.
    private static String text(String escaped) {
        return Json.parse('"' + escaped + '"').stringValue();
    }

    /// Lengths first: no two of them run into the same text.
    private static TokenDigest digest(Map<String, String> said) {
        var text = new StringBuilder();
        said.forEach((name, value) -> text.append(name.length())
                .append(',')
                .append(value.length())
                .append(':')
                .append(name)
                .append(value));
        return TokenDigest.ofUtf8(text.toString());
    }

    private String signed(Map<String, String> said) {
        Instant now = services.clock().instant();
        ObjectNode claims = Json.mapper().createObjectNode().put("iss", spec.issuer());
        said.forEach(claims::put);
        spec.audience().ifPresent(audience -> claims.put("aud", audience));
        claims.put("iat", now.getEpochSecond());
        claims.put("exp", now.plus(spec.lifetime()).getEpochSecond());
        String token = key.sign(claims);
        return spec.header().equalsIgnoreCase("Authorization") ? "Bearer " + token : token;
    }

    @Override
    public String toString() {
        return "own tokens by " + key;
    }
}
