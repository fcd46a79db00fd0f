package gateway.component;

import gateway.http.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;

/// The tokens by which gateways may ask, any of which opens everything; several while one takes the place of another.
public final class CacheTokens {
    private static final String SCHEME = "Bearer ";

    private final List<byte[]> tokens;

    private CacheTokens(List<byte[]> tokens) {
        this.tokens = tokens;
    }

    public static CacheTokens of(List<Secret> tokens) {
        return new CacheTokens(tokens.stream().map(each -> bytes(each.reveal())).toList());
    }

    /// Whether `Authorization` holds one of them. All are compared, each in a time that only the length of what was
    /// sent decides, so that it tells nothing.
    boolean open(Optional<String> authorization) {
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
