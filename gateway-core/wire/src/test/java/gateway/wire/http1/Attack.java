package gateway.wire.http1;

import static gateway.wire.http1.Refusal.*;

import java.util.ArrayList;
import java.util.List;

/// Bytes that no request may begin with, and why. `name` says what is wrong with them.
public record Attack(String name, String bytes, Refusal refusal) {
    private static final String HOST = "Host: a.example\r\n";
    private static final String CHUNKED = "POST / HTTP/1.1\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n";

    /// Every attack on the head and the framing of a request; each ends in a whole request that must never be
    /// served.
    public static List<Attack> all() {
        var all = new ArrayList<Attack>();
        requestLines(all);
        headers(all);
        hosts(all);
        framing(all);
        chunks(all);
        limits(all);
        return List.copyOf(all);
    }

    private static void requestLines(List<Attack> all) {
        head(all, "method in lower case", "get / HTTP/1.1", Refusal.METHOD);
        head(all, "method with a letter in lower case", "GEt / HTTP/1.1", Refusal.METHOD);
        head(all, "no version", "GET /", REQUEST_LINE);
        head(all, "HTTP/0.9 with a version", "GET / HTTP/0.9", VERSION);
        head(all, "HTTP/2.0", "GET / HTTP/2.0", VERSION);
        head(all, "HTTP/2 preface", "PRI * HTTP/2.0", VERSION);
        head(all, "lower case http", "GET / http/1.1", REQUEST_LINE);
        head(all, "two digits of version", "GET / HTTP/1.10", REQUEST_LINE);
        head(all, "version without a dot", "GET / HTTP/11", REQUEST_LINE);
        head(all, "two spaces before the target", "GET  / HTTP/1.1", REQUEST_LINE);
        head(all, "two spaces before the version", "GET /  HTTP/1.1", REQUEST_LINE);
        head(all, "space after the version", "GET / HTTP/1.1 ", REQUEST_LINE);
        head(all, "tab for space", "GET\t/ HTTP/1.1", REQUEST_LINE);
        head(all, "space in the target", "GET /a b HTTP/1.1", REQUEST_LINE);
        head(all, "leading space", " GET / HTTP/1.1", REQUEST_LINE);
        head(all, "method that is no token", "G(T / HTTP/1.1", REQUEST_LINE);
        head(all, "endless method", "G".repeat(33) + " / HTTP/1.1", REQUEST_LINE);
        head(all, "CONNECT", "CONNECT a.example:443 HTTP/1.1", CONNECT);
        head(all, "CONNECT to a path", "CONNECT / HTTP/1.1", CONNECT);
        head(all, "authority form without CONNECT", "GET a.example:80 HTTP/1.1", TARGET);
        head(all, "asterisk without OPTIONS", "GET * HTTP/1.1", TARGET);
        head(all, "asterisk and more", "OPTIONS *a HTTP/1.1", TARGET);
        head(all, "relative target", "GET admin HTTP/1.1", TARGET);
        head(all, "backslash target", "GET \\admin HTTP/1.1", TARGET);
        head(all, "fragment in the target", "GET /a#b HTTP/1.1", TARGET);
        head(all, "octet above ASCII in the target", "GET /caf\u00e9 HTTP/1.1", TARGET);
        head(all, "other scheme", "GET ftp://a.example/ HTTP/1.1", TARGET);
        head(all, "no authority", "GET http:///admin HTTP/1.1", TARGET);
        head(all, "user information in the target", "GET http://x@a.example/ HTTP/1.1", TARGET);
        head(all, "NUL in the target", "GET /a\0b HTTP/1.1", CONTROL_OCTET);
        head(all, "bare CR in the request line", "GET / HTTP/1.1\rX: y", LINE_END);
        add(all, "bare LF after the request line", "GET / HTTP/1.1\n" + HOST + "\r\n", LINE_END);
    }

    private static void headers(List<Attack> all) {
        header(all, "folded line", "X: a\r\n b", FOLDED_LINE);
        header(all, "line folded by a tab", "X: a\r\n\tb", FOLDED_LINE);
        add(all, "first header led by a space", "GET / HTTP/1.1\r\n " + HOST + "\r\n", FOLDED_LINE);
        header(all, "space before the colon", "Content-Length : 0", FIELD_NAME);
        header(all, "tab before the colon", "X\t: y", FIELD_NAME);
        header(all, "vertical tab before the colon", "Transfer-Encoding\u000b: chunked", CONTROL_OCTET);
        header(all, "no colon", "X", FIELD_NAME);
        header(all, "no name", ": x", FIELD_NAME);
        header(all, "name with a slash", "X/Y: z", FIELD_NAME);
        header(all, "name above ASCII", "X\u00e9: z", FIELD_NAME);
        header(all, "NUL in a value", "X: a\0b", CONTROL_OCTET);
        header(all, "DEL in a value", "X: a\u007fb", CONTROL_OCTET);
        header(all, "escape in a value", "X: a\u001b[0m", CONTROL_OCTET);
        header(all, "bare CR in a value", "X: a\rContent-Length: 5", LINE_END);
        header(all, "bare LF in a value", "X: a\nContent-Length: 5", LINE_END);
        add(
                all,
                "three CR for the end",
                "GET / HTTP/1.1\r\n" + HOST.strip() + "\r\r\rGET /evil HTTP/1.1\r\n" + HOST + "\r\n",
                LINE_END);
        add(all, "bare LF for the end", "GET / HTTP/1.1\r\n" + HOST + "\n", LINE_END);
        add(all, "CR CR LF for the end", "GET / HTTP/1.1\r\n" + HOST + "\r\r\n", LINE_END);
    }

    private static void hosts(List<Attack> all) {
        add(all, "no Host", "GET / HTTP/1.1\r\n\r\n", HOST_MISSING);
        add(all, "two Hosts", "GET / HTTP/1.1\r\n" + HOST + "Host: b.example\r\n\r\n", HOST_TWICE);
        add(all, "the same Host twice", "GET / HTTP/1.1\r\n" + HOST + HOST + "\r\n", HOST_TWICE);
        for (String bad : List.of(
                "",
                "a@b",
                "a.example:",
                "a.example:port",
                "a.example:99999",
                ":80",
                "a b",
                "a,b",
                "a/b",
                "a.example/..",
                "[::1",
                "::1",
                "[]",
                "[::1]x",
                "a%2eb",
                "a\\b",
                "\u00e9.example",
                "a.example:80:80",
                "a..example",
                ".a.example",
                "a.example..",
                ".",
                "a?b",
                "a.example:0",
                "[::ffff:127.0.0.1]",
                "[1:2]",
                "[1::2::3]",
                "[12345::]",
                "[:::1]",
                "[1:2:3:4:5:6:7:8:9]",
                "[1:2:3:4:5:6:7::8]",
                "[::1:]")) {
            add(all, "Host \"" + bad + "\"", "GET / HTTP/1.1\r\nHost: " + bad + "\r\n\r\n", Refusal.HOST);
        }
        add(all, "target of another host", "GET http://b.example/ HTTP/1.1\r\n" + HOST + "\r\n", HOST_DIFFERS);
        add(all, "target of another port", "GET http://a.example:81/ HTTP/1.1\r\n" + HOST + "\r\n", HOST_DIFFERS);
    }

    private static void framing(List<Attack> all) {
        header(all, "Content-Length and chunked", "Content-Length: 5\r\nTransfer-Encoding: chunked", BOTH_FRAMINGS);
        header(all, "chunked and Content-Length", "Transfer-Encoding: chunked\r\nContent-Length: 0", BOTH_FRAMINGS);
        header(all, "two differing Content-Length", "Content-Length: 5\r\nContent-Length: 6", CONTENT_LENGTH);
        header(all, "the same Content-Length twice", "Content-Length: 0\r\nContent-Length: 0", CONTENT_LENGTH);
        for (String bad : List.of(
                "",
                "+5",
                "-1",
                "5, 5",
                "0x5",
                "5 5",
                "5_0",
                "5.",
                "1e1",
                "9223372036854775808",
                "1000000000000000000000",
                "\u0665")) {
            header(all, "Content-Length \"" + bad + "\"", "Content-Length: " + bad, CONTENT_LENGTH);
        }
        for (String bad : List.of(
                "xchunked",
                "chunkedx",
                "gzip",
                "gzip, chunked",
                "chunked, gzip",
                "chunked, chunked",
                "identity",
                "",
                "chunked;q=1",
                "\"chunked\"",
                "chunked,",
                ", chunked",
                "chun\u00ebed",
                "deflate")) {
            header(all, "Transfer-Encoding \"" + bad + "\"", "Transfer-Encoding: " + bad, TRANSFER_ENCODING);
        }
        header(
                all,
                "Transfer-Encoding twice",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                TRANSFER_ENCODING);
        header(
                all,
                "identity, then chunked",
                "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
                TRANSFER_ENCODING);
        add(
                all,
                "chunked in HTTP/1.0",
                "POST / HTTP/1.0\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                TRANSFER_ENCODING);
    }

    private static void chunks(List<Attack> all) {
        for (String bad : List.of(
                "",
                "0x5",
                "-1",
                "+5",
                "5_0",
                "g",
                " 5",
                "5 ",
                "5\t",
                "5 ;a",
                "1" + "0".repeat(15),
                "ffffffffffffffff",
                "0000000000000005",
                "5,5",
                "5\u00b2")) {
            chunk(all, "chunk size \"" + bad + "\"", bad + "\r\nhello\r\n0\r\n\r\n", CHUNK_SIZE);
        }
        chunk(all, "bare LF after a chunk size", "5\nhello\r\n0\r\n\r\n", LINE_END);
        chunk(all, "bare CR after a chunk size", "5\rhello\r\n0\r\n\r\n", LINE_END);
        chunk(all, "bare LF in an extension", "5;a\nX\r\n0\r\n\r\n", LINE_END);
        chunk(all, "bare CR in an extension", "5;a\rX\r\nhello\r\n0\r\n\r\n", LINE_END);
        chunk(all, "NUL in an extension", "5;a\0\r\nhello\r\n0\r\n\r\n", CONTROL_OCTET);
        for (String bad : List.of(
                ";",
                ";;",
                ";a=",
                ";=b",
                "; a",
                ";a =b",
                ";a= b",
                ";a=\"b",
                ";a=\"b\"c",
                ";a b",
                ";a=b;",
                ";a=\"\\",
                ";\u00e9",
                ";" + "a".repeat(1100))) {
            chunk(
                    all,
                    "chunk extension \"" + bad.substring(0, Math.min(12, bad.length())) + "\"",
                    "5" + bad + "\r\nhello\r\n0\r\n\r\n",
                    CHUNK_EXTENSION);
        }
        chunk(all, "data longer than its size", "5\r\nhello!\r\n0\r\n\r\n", CHUNK_DATA);
        chunk(all, "data shorter than its size", "6\r\nhello\r\n0\r\n\r\n", CHUNK_DATA);
        chunk(all, "bare LF after data", "5\r\nhello\n0\r\n\r\n", CHUNK_DATA);
        chunk(all, "bare CR after data", "5\r\nhello\r0\r\n\r\n", CHUNK_DATA);
        for (String name : List.of(
                "Transfer-Encoding",
                "Content-Length",
                "Host",
                "Authorization",
                "cookie",
                "TE",
                "Trailer",
                "Connection",
                "Upgrade",
                "X-Forwarded-For",
                "Content-Type")) {
            chunk(all, name + " in a trailer", "0\r\n" + name + ": x\r\n\r\n", TRAILER);
        }
        chunk(all, "folded trailer", "0\r\nX: a\r\n b\r\n\r\n", FOLDED_LINE);
        chunk(all, "trailer without a colon", "0\r\nX\r\n\r\n", FIELD_NAME);
        chunk(all, "bare LF in a trailer", "0\r\nX: a\n\r\n", LINE_END);
        chunk(all, "control octet in a trailer", "0\r\nX: \u0001\r\n\r\n", CONTROL_OCTET);
        chunk(all, "endless trailers", "0\r\n" + "X: a\r\n".repeat(101) + "\r\n", TOO_MANY_HEADERS);
    }

    private static void limits(List<Attack> all) {
        head(all, "endless request line", "GET /" + "a".repeat(17 * 1024) + " HTTP/1.1", REQUEST_LINE_TOO_LONG);
        header(all, "endless header", "X: " + "a".repeat(33 * 1024), HEAD_TOO_LARGE);
        header(all, "endless headers", ("X: " + "a".repeat(1000) + "\r\n").repeat(40) + "Y: z", HEAD_TOO_LARGE);
        header(all, "101 headers", "X: y\r\n".repeat(99) + "Y: z", TOO_MANY_HEADERS);
    }

    private static void head(List<Attack> all, String name, String requestLine, Refusal refusal) {
        add(all, name, requestLine + "\r\n" + HOST + "\r\n", refusal);
    }

    private static void header(List<Attack> all, String name, String lines, Refusal refusal) {
        add(all, name, "POST / HTTP/1.1\r\n" + HOST + lines + "\r\n\r\n0\r\n\r\n", refusal);
    }

    private static void chunk(List<Attack> all, String name, String content, Refusal refusal) {
        add(all, name, CHUNKED + content, refusal);
    }

    private static void add(List<Attack> all, String name, String bytes, Refusal refusal) {
        all.add(new Attack(name, bytes + "GET /evil HTTP/1.1\r\nHost: a.example\r\n\r\n", refusal));
    }

    /// Whether the fault lies after a whole head, so that a head sent on its own would be served.
    public boolean inContent() {
        return bytes.startsWith(CHUNKED);
    }

    /// The head that a fault lies after; empty when it lies within.
    String soundHead() {
        return inContent() ? CHUNKED : "";
    }

    @Override
    public String toString() {
        return name;
    }
}
