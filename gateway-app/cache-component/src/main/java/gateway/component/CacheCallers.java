package gateway.component;

import gateway.http.ClientCertificate;
import gateway.http.Exchange;
import gateway.http.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Who may ask: whoever has one of the tokens, or has shown one of the certificates. Any of them opens everything;
/// there are several while one takes the place of another.
public final class CacheCallers {
    private static final String SCHEME = "Bearer ";

    private final List<byte[]> tokens;
    private final Predicate<ClientCertificate> certificates;

    private CacheCallers(List<byte[]> tokens, Predicate<ClientCertificate> certificates) {
        this.tokens = tokens;
        this.certificates = certificates;
    }

    /// @param certificates which of those that the listener has let in
    public static CacheCallers of(List<Secret> tokens, Predicate<ClientCertificate> certificates) {
        return new CacheCallers(
                tokens.stream().map(each -> bytes(each.reveal())).toList(), certificates);
    }

    boolean admit(Exchange exchange) {
        return hasToken(exchange.headers().first("Authorization"))
                || exchange.clientCertificate().filter(certificates).isPresent();
    }

    /// Whether `Authorization` holds one of them. All are compared, each in a time that only the length of what was
    /// sent decides, so that it tells nothing.
    private boolean hasToken(Optional<String> authorization) {
        String sent = authorization.orElse("");
        if (!sent.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) return false;
        byte[] told = bytes(sent.substring(SCHEME.length()).strip());
        boolean found = false;
        for (byte[] each : tokens) found |= MessageDigest.isEqual(told, each);
        return found;
    }

    private static byte[] bytes(String token) {
        return token.getBytes(StandardCharsets.UTF_8);
    }
}
