package gateway.wire.client;

import java.security.Security;

/// What Java itself remembers of names: addresses for 30 s, whoever asks. `dnsRefresh` may be less.
public final class JavaNameCache {
    private static final String SECONDS = "networkaddress.cache.ttl";
    private static final String OLDER_SECONDS = "sun.net.inetaddr.ttl";
    private static final String LEAST_REFRESH = "1"; // the least that dnsRefresh may be; 0 would look up at every call

    private JavaNameCache() {}

    /// Keeps Java from remembering for longer than `dnsRefresh` may be, unless somebody set how long. Only has effect
    /// before the first lookup of the process.
    public static void shorten() {
        if (Security.getProperty(SECONDS) != null || System.getProperty(OLDER_SECONDS) != null) return;
        Security.setProperty(SECONDS, LEAST_REFRESH);
    }
}
