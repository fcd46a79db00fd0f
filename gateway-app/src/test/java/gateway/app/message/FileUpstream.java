package gateway.app.message;

import gateway.app.cache.CachedGateway;
import gateway.app.cache.CountingUpstream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An upstream with one file, which it gives as servers of files do: parts to `Range`, 304 and 412 to conditions, and
/// the head alone to `HEAD`. Each request has a connection of its own.
final class FileUpstream implements AutoCloseable {
    static final String VERSION = "\"v1\"";

    private static final Pattern PART = Pattern.compile("bytes=(\\d+)-(\\d*)");
    private static final String TELLING =
            "ETag: " + VERSION + "\r\nLast-Modified: Sat, 28 Nov 2026 09:00:00 GMT\r\nAccept-Ranges: bytes\r\n"
                    + "Content-MD5: bWQ1\r\nDigest: md5=bWQ1\r\nContent-Digest: md5=:bWQ1:\r\nRepr-Digest: md5=:bWQ1:\r\n";

    private final CountingUpstream server;
    private volatile String type = "";
    private volatile String content = "";
    private volatile Optional<String> bytes = Optional.empty();

    private FileUpstream() {
        server = CountingUpstream.start(_ -> bytes.orElseGet(() -> answer(last())));
    }

    static FileUpstream start() {
        return new FileUpstream();
    }

    /// A gateway in front of it.
    ///
    /// @param data its folder
    CachedGateway gateway(Path data, String policies, Map<String, String> settings) {
        CachedGateway.define(data, "files", """
                {"id": "files", "match": {"path": "/"}, "policies": [%s],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(policies, server.port()));
        return CachedGateway.start(data, settings);
    }

    /// From now on its file is that.
    void serves(String contentType, String text) {
        type = contentType;
        content = text;
        bytes = Optional.empty();
    }

    /// From now on it answers these bytes, whatever it is asked.
    void answers(String other) {
        bytes = Optional.of(other);
    }

    /// The head of the last request, in lower case.
    String last() {
        return server.last().toLowerCase(Locale.ROOT);
    }

    private String answer(String head) {
        if (field(head, "if-match").filter(each -> !each.equals(VERSION)).isPresent()) return head("412 No", "", 0);
        if (field(head, "if-none-match").filter(VERSION::equals).isPresent()) return head("304 Same", TELLING, -1);
        if (field(head, "if-modified-since").isPresent()) return head("304 Same", TELLING, -1);
        Optional<String> asked = field(head, "range").or(() -> field(head, "request-range"));
        boolean toHead = head.startsWith("head ");
        if (asked.isEmpty()) return head("200 OK", typed(type) + TELLING, content.length()) + (toHead ? "" : content);
        Matcher part = PART.matcher(asked.get());
        if (!part.matches()) return several();
        int from = Integer.parseInt(part.group(1));
        int to = part.group(2).isEmpty() ? content.length() : Integer.parseInt(part.group(2)) + 1;
        return part(type, content.substring(from, to), from);
    }

    private static Optional<String> field(String head, String name) {
        return head.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst();
    }

    /// The whole in one of several parts, whatever was asked for.
    private String several() {
        String part = "--x\r\n" + typed(type) + "Content-Range: bytes 0-" + (content.length() - 1) + "/"
                + content.length() + "\r\n\r\n" + content + "\r\n--x--\r\n";
        return head("206 Part", typed("multipart/byteranges; boundary=x"), part.length()) + part;
    }

    /// A part of the file `bytes` long that begins at `from`.
    static String part(String contentType, String text, int from) {
        String range = "Content-Range: bytes " + from + "-" + (from + text.length() - 1) + "/1000\r\n";
        return head("206 Part", typed(contentType) + range + TELLING, text.length()) + text;
    }

    private static String typed(String contentType) {
        return contentType.isEmpty() ? "" : "Content-Type: " + contentType + "\r\n";
    }

    private static String head(String status, String fields, int length) {
        String told = length < 0 ? "" : "Content-Length: " + length + "\r\n";
        return "HTTP/1.1 " + status + "\r\nConnection: close\r\n" + fields + told + "\r\n";
    }

    @Override
    public void close() {
        server.close();
    }
}
