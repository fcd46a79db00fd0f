package gateway.component;

import gateway.http.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;

/// The tokens by which gateways may ask, any of which opens everything; several while one takes the place of another.
public final class CacheTokens {
    private static final String SCHEME = "Bearer ";

    private final List<byte[]> digests;

    private CacheTokens(List<byte[]> digests) {
        this.digests = digests;
    }

    public static CacheTokens of(List<Secret> tokens) {
        return new CacheTokens(
                tokens.stream().map(each -> digest(each.reveal())).toList());
    }

    /// Whether `Authorization` holds one of them. All are compared, so that the time tells nothing.
    boolean open(Optional<String> authorization) {
        String sent = authorization.orElse("");
        if (!sent.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) return false;
        byte[] digest = digest(sent.substring(SCHEME.length()).strip());
        boolean found = false;
        for (byte[] each : digests) found |= MessageDigest.isEqual(each, digest);
        return found;
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
