package gateway.wire.http2;

import gateway.wire.http1.Authority;
import gateway.wire.http1.HeadCost;
import gateway.wire.http1.Octets;
import gateway.wire.http1.Refusal;
import gateway.wire.http1.TrailerLine;
import gateway.wire.http1.WireLimits;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The fields of one HTTP/2 request, or of its trailers, checked as they are decoded: by what RFC 9113 §8 asks for, and
/// by the rules that [gateway.wire.http1.StrictRequests] holds HTTP/1.1 to.
///
/// An extended CONNECT for a WebSocket (RFC 8441) becomes the handshake of HTTP/1.1 that it stands for.
public final class FieldSection implements HeadCollector.Fields {
    private static final int FIELD_OVERHEAD = 32; // RFC 9113 §6.5.2
    private static final int MAX_METHOD = 32;
    private static final int MAX_LENGTH_DIGITS = 18;
    private static final Set<String> OF_A_CONNECTION =
            Set.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "http2-settings");

    private final WireLimits limits;
    private final Kind kind;
    private final @Nullable SharedTexts shared;
    private final List<SharedTexts.Text> joined = new ArrayList<>(0);
    private final HeaderMap fields = new HeaderMap();
    private @Nullable String method;
    private @Nullable String scheme;
    private @Nullable String authority;
    private @Nullable String path;
    private @Nullable String protocol;
    private @Nullable String host;
    private @Nullable List<String> cookies;
    private long length = -1;
    private long bytes;
    private long bytesShared;
    private int count;
    private boolean pseudoEnded;
    private @Nullable Refusal refusal;

    /// What a section belongs to.
    public enum Kind {
        HEAD,
        /// A head that may be an extended CONNECT.
        EXTENDED_HEAD,
        TRAILERS
    }

    /// @param shared what it may have in common with other sections, to be left by [#leave]; null: it counts all itself
    public FieldSection(WireLimits limits, Kind kind, @Nullable SharedTexts shared) {
        this.limits = limits;
        this.kind = kind;
        this.shared = shared;
        this.pseudoEnded = kind == Kind.TRAILERS;
    }

    /// What is wrong with it; null when nothing is. Complete after [#end].
    public @Nullable Refusal refusal() {
        return refusal;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    /// Bytes that it takes on the heap, but for what is shared; what is refused is not kept.
    public long cost() {
        return refusal == null ? HeadCost.of(bytes - bytesShared - (long) FIELD_OVERHEAD * count, count) : 0;
    }

    /// It is not needed any more; again: no change.
    public void leave() {
        joined.forEach(SharedTexts.Text::leave);
        joined.clear();
    }

    /// `GET` when there is none that could be told, and for a handshake.
    public String method() {
        return method == null || opensTunnel() ? "GET" : method;
    }

    /// With the query; `/` when there is none that could be told.
    public String path() {
        return path == null ? "/" : path;
    }

    /// As HTTP/1.1 has them: with `Host`, without pseudo-header fields, cookies in one line.
    public HeaderMap fields() {
        return fields;
    }

    /// Bytes of content that are announced; -1 when none are.
    public long contentLength() {
        return length;
    }

    /// Whether it is a handshake: what follows it is the tunnel's, and no content.
    public boolean opensTunnel() {
        return protocol != null && refusal == null;
    }

    @Override
    public void add(HttpString name, String value) {
        bytes += name.length() + value.length() + FIELD_OVERHEAD;
        count++;
        if (refusal != null) return;
        refusal = wrong(name, value);
    }

    /// No field follows.
    ///
    /// @param last whether nothing follows the section
    public void end(boolean last) {
        if (refusal != null) return;
        refusal = kind == Kind.TRAILERS ? (last ? null : Refusal.TRAILER) : incomplete(last);
        if (cookies != null) fields.put(Headers.COOKIE, String.join("; ", cookies));
        cookies = null;
    }

    private @Nullable Refusal wrong(HttpString name, String value) {
        if (bytes > limits.headBytes()) return Refusal.HEAD_TOO_LARGE;
        if (count > limits.headers()) return Refusal.TOO_MANY_HEADERS;
        if (!isValue(value)) return Refusal.FIELD_VALUE;
        if (name.length() > 0 && name.byteAt(0) == ':') return pseudo(name.toString(), value);
        pseudoEnded = true;
        if (!isName(name)) return Refusal.FIELD_CASE;
        String text = name.toString();
        if (OF_A_CONNECTION.contains(text)) return Refusal.CONNECTION_FIELD;
        if (kind == Kind.TRAILERS && TrailerLine.isForbidden(text)) return Refusal.TRAILER;
        return field(name, text, value);
    }

    private @Nullable Refusal field(HttpString name, String text, String value) {
        switch (text) {
            case "te" -> {
                if (!value.equalsIgnoreCase("trailers")) return Refusal.CONNECTION_FIELD;
            }
            case "host" -> {
                if (host != null) return Refusal.HOST_TWICE;
                host = value;
                return isAuthority(value) ? null : Refusal.HOST;
            }
            case "content-length" -> {
                if (length >= 0 || !isLength(value)) return Refusal.CONTENT_LENGTH;
                length = Long.parseLong(value);
            }
            case "cookie" -> {
                if (cookies == null) cookies = new ArrayList<>();
                cookies.add(value);
                return null;
            }
            default -> {}
        }
        fields.add(name, value);
        join(name, name.length());
        join(value, value.length());
        return null;
    }

    private void join(Object text, int octets) {
        if (shared == null || octets < SharedTexts.LONG) return;
        SharedTexts.Text one = shared.join(text, octets);
        if (one == null) return;
        joined.add(one);
        bytesShared += octets;
    }

    private @Nullable Refusal pseudo(String name, String value) {
        if (pseudoEnded) return Refusal.PSEUDO_FIELD;
        switch (name) {
            case ":method" -> {
                if (method != null || !isMethod(value)) return Refusal.PSEUDO_FIELD;
                method = value;
            }
            case ":scheme" -> {
                if (scheme != null || !(value.equals("https") || value.equals("http"))) return Refusal.PSEUDO_FIELD;
                scheme = value;
            }
            case ":authority" -> {
                if (authority != null) return Refusal.PSEUDO_FIELD;
                authority = value;
                return isAuthority(value) ? null : Refusal.HOST;
            }
            case ":path" -> {
                if (path != null) return Refusal.PSEUDO_FIELD;
                if (value.length() > limits.requestLineBytes()) return Refusal.REQUEST_LINE_TOO_LONG;
                if (!isTarget(value)) return Refusal.TARGET;
                path = value;
            }
            case ":protocol" -> {
                if (kind != Kind.EXTENDED_HEAD || protocol != null) return Refusal.PSEUDO_FIELD;
                protocol = value;
            }
            default -> {
                return Refusal.PSEUDO_FIELD;
            }
        }
        return null;
    }

    private @Nullable Refusal incomplete(boolean last) {
        if ("CONNECT".equals(method) != (protocol != null))
            return protocol == null ? Refusal.CONNECT : Refusal.PSEUDO_FIELD;
        if (method == null || scheme == null || path == null) return Refusal.PSEUDO_FIELD;
        if (path.equals("*") && !method.equals("OPTIONS")) return Refusal.TARGET;
        if (authority == null && host == null) return Refusal.HOST_MISSING;
        if (authority != null && host != null && !authority.equalsIgnoreCase(host)) return Refusal.HOST_DIFFERS;
        if (last && length > 0) return Refusal.CONTENT_LENGTH;
        fields.put(Headers.HOST, authority == null ? host : authority);
        return protocol == null ? null : handshake(protocol);
    }

    /// RFC 8441 §5: the same but for `Connection` and `Upgrade`, and for a key, of which there is none.
    private @Nullable Refusal handshake(String asked) {
        if (!asked.equalsIgnoreCase("websocket")) return Refusal.PROTOCOL;
        if (length >= 0) return Refusal.CONTENT_LENGTH;
        fields.put(Headers.CONNECTION, "Upgrade");
        fields.put(Headers.UPGRADE, "websocket");
        return null;
    }

    private static boolean isMethod(String text) {
        ByteBuffer octets = octets(text);
        int length = octets.limit();
        return length > 0 && length <= MAX_METHOD && Octets.skip(Octets.METHOD, octets, 0, length) == length;
    }

    private static boolean isTarget(String text) {
        if (text.equals("*")) return true;
        ByteBuffer octets = octets(text);
        int length = octets.limit();
        return text.startsWith("/") && Octets.skip(Octets.TARGET, octets, 0, length) == length;
    }

    private static boolean isAuthority(String text) {
        ByteBuffer octets = octets(text);
        return Authority.isValid(octets, 0, octets.limit());
    }

    private static boolean isLength(String text) {
        int digits = text.length();
        return digits > 0
                && digits <= MAX_LENGTH_DIGITS
                && Octets.skip(Octets.DIGIT, octets(text), 0, digits) == digits;
    }

    /// A token without upper-case letters (RFC 9113 §8.2.1).
    private static boolean isName(HttpString name) {
        for (int i = 0; i < name.length(); i++) {
            byte octet = name.byteAt(i);
            if (!Octets.is(Octets.TOKEN, octet) || (octet >= 'A' && octet <= 'Z')) return false;
        }
        return name.length() > 0;
    }

    /// No control octet but tab, no blank at either end (RFC 9113 §8.2.1).
    private static boolean isValue(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f) return false;
        }
        return text.isEmpty() || !(isBlank(text.charAt(0)) || isBlank(text.charAt(text.length() - 1)));
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    private static ByteBuffer octets(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
