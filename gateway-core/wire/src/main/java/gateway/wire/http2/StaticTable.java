package gateway.wire.http2;

import io.undertow.util.HttpString;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The fields that both ends know (RFC 7541 Appendix A), found by name. Indexes begin with 1.
final class StaticTable {
    private static final String[] FIELDS = """
            :authority, :method GET, :method POST, :path /, :path /index.html, :scheme http, :scheme https,
            :status 200, :status 204, :status 206, :status 304, :status 400, :status 404, :status 500,
            accept-charset, accept-encoding gzip; deflate, accept-language, accept-ranges, accept,
            access-control-allow-origin, age, allow, authorization, cache-control, content-disposition,
            content-encoding, content-language, content-length, content-location, content-range, content-type, cookie,
            date, etag, expect, expires, from, host, if-match, if-modified-since, if-none-match, if-range,
            if-unmodified-since, last-modified, link, location, max-forwards, proxy-authenticate, proxy-authorization,
            range, referer, refresh, retry-after, server, set-cookie, strict-transport-security, transfer-encoding,
            user-agent, vary, via, www-authenticate""".split(",\\s+");

    private static final HttpString[] NAMES = Arrays.stream(FIELDS)
            .map(field -> new HttpString(field.split(" ", 2)[0]))
            .toArray(HttpString[]::new);
    private static final String[] VALUES = Arrays.stream(FIELDS)
            .map(field -> field.contains(" ") ? field.split(" ", 2)[1].replace(';', ',') : "")
            .toArray(String[]::new);
    private static final int SLOTS = 256;
    private static final byte[] BY_NAME = byName(); // the first index of the name in each slot, 0 where there is none

    private StaticTable() {}

    private static byte[] byName() {
        var slots = new byte[SLOTS];
        for (int i = NAMES.length; i > 0; i--) slots[slot(slots, NAMES[i - 1])] = (byte) i;
        return slots;
    }

    /// Where `name` is, or would be.
    private static int slot(byte[] slots, HttpString name) {
        int slot = name.hashCode() & (SLOTS - 1);
        while (slots[slot] != 0 && !NAMES[slots[slot] - 1].equals(name)) slot = (slot + 1) & (SLOTS - 1);
        return slot;
    }

    /// The first entry with this name; 0 when there is none.
    static int find(HttpString name) {
        return BY_NAME[slot(BY_NAME, name)];
    }

    /// The entry with this value among those that have the name of the entry `first`; 0 when there is none.
    static int find(int first, @Nullable String value) {
        for (int i = first; i <= NAMES.length && NAMES[i - 1].equals(NAMES[first - 1]); i++) {
            if (VALUES[i - 1].equals(value)) return i;
        }
        return 0;
    }
}
