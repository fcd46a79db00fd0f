package gateway.policies.standard;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/// A user name and password as `Authorization: Basic` carries them (RFC 7617), in UTF-8. Prints without the
/// password.
public final class Credentials {
    /// Longest header value that is looked at.
    private static final int LONGEST = 1_024;

    private static final String SCHEME = "Basic ";

    private final String user;
    private final byte[] password;

    private Credentials(String user, byte[] password) {
        this.user = user;
        this.password = password;
    }

    public static boolean isBasic(String authorization) {
        return authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    }

    /// Empty when `authorization` holds no user name and password that could be right.
    public static Optional<Credentials> parse(String authorization) {
        if (authorization.length() > LONGEST) return Optional.empty();
        byte[] decoded;
        try {
            decoded = Base64.getDecoder()
                    .decode(authorization.substring(SCHEME.length()).strip());
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // the one way the platform tells that this is not Base64
        }
        int colon = -1;
        for (int i = 0; i < decoded.length; i++) {
            if (decoded[i] == 0) return Optional.empty(); // where bcrypt in C would stop reading
            if (decoded[i] == ':' && colon < 0) colon = i;
        }
        if (colon < 0) return Optional.empty();
        var password = new byte[decoded.length - colon - 1];
        System.arraycopy(decoded, colon + 1, password, 0, password.length);
        return Optional.of(new Credentials(new String(decoded, 0, colon, StandardCharsets.UTF_8), password));
    }

    public String user() {
        return user;
    }

    public byte[] password() {
        return password;
    }

    @Override
    public String toString() {
        return user + ":***";
    }
}
