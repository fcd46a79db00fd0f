package gateway.app.commands;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The request that is sent over and over.
///
/// @param target path and query as they stand in the request line
/// @param headers whole lines, `Name: value`
/// @param bodyBytes length of a body of the letter x; none at 0
record LoadRequest(String method, String target, String host, List<String> headers, int bodyBytes) {
    LoadRequest {
        headers = List.copyOf(headers);
    }

    /// Whether it is the name of a method (RFC 9110 §9.1).
    static boolean isMethod(String name) {
        return name.matches("[!#-'*+.^-z|~0-9A-Z-]+");
    }

    /// Whether it is one whole header line, without its end (RFC 9110 §5.1).
    static boolean isHeader(String line) {
        return line.matches("[!#-'*+.^-z|~0-9A-Z-]+: ?[ -~]*");
    }

    ByteBuffer encoded() {
        var text = new StringBuilder()
                .append(method + " " + target + " HTTP/1.1\r\n")
                .append("Host: " + host + "\r\n");
        for (String header : headers) text.append(header).append("\r\n");
        if (bodyBytes > 0) text.append("Content-Length: ").append(bodyBytes).append("\r\n");
        text.append("\r\n").repeat("x", bodyBytes);
        byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip().asReadOnlyBuffer();
    }
}
