package gateway.wire.http1;

/// Why the bytes of a request are turned away.
public enum Refusal {
    REQUEST_LINE(400, "the request line is not method, target and version with one space between"),
    METHOD(400, "the method has letters in lower case: methods are told apart by case, and none has any"),
    TARGET(400, "the request target is malformed"),
    CONNECT(400, "CONNECT is not served here"),
    PROTOCOL(501, "no protocol but websocket is served by extended CONNECT"),
    VERSION(505, "the HTTP version is not 1"),
    REQUEST_LINE_TOO_LONG(414, "the request line is too long"),
    HEAD_TOO_LARGE(431, "the header block is too large"),
    TOO_MANY_HEADERS(431, "the request has too many header fields"),
    LINE_END(400, "a line does not end in CR LF"),
    CONTROL_OCTET(400, "a line holds a control character"),
    FOLDED_LINE(400, "a header line begins with white space"),
    FIELD_NAME(400, "a header name is not a token followed by a colon"),
    HOST_MISSING(400, "the request has no Host"),
    HOST_TWICE(400, "the request has more than one Host"),
    HOST(400, "the Host is not a host with an optional port"),
    HOST_DIFFERS(400, "the Host differs from the authority of the request target"),
    CONTENT_LENGTH(400, "the Content-Length is not one number"),
    TRANSFER_ENCODING(400, "the Transfer-Encoding is not chunked alone, or the version is 1.0"),
    BOTH_FRAMINGS(400, "the request has both Content-Length and Transfer-Encoding"),
    CHUNK_SIZE(400, "a chunk size is not a hexadecimal number"),
    CHUNK_EXTENSION(400, "a chunk extension is malformed"),
    CHUNK_DATA(400, "the data of a chunk does not end where its size says"),
    TRAILER(400, "a field of the trailer may stand in a head alone"),
    PSEUDO_FIELD(400, "a pseudo-header field is missing, repeated, malformed, unknown or out of place"),
    FIELD_CASE(400, "a field name is not a token in lower case"),
    FIELD_VALUE(400, "a field value holds a control character or has blanks at its ends"),
    CONNECTION_FIELD(400, "a field belongs to a single connection of HTTP/1"),
    MEMORY(503, "there is no memory left for the request");

    private final int status;
    private final String detail;

    Refusal(int status, String detail) {
        this.status = status;
        this.detail = detail;
    }

    /// The type of the problem, as [gateway.http.Problem] has it.
    String type() {
        return this == MEMORY ? "overloaded" : "malformed-request";
    }

    /// The HTTP status of the answer.
    public int status() {
        return status;
    }

    /// What is wrong, in words for the client.
    public String detail() {
        return detail;
    }

    /// The reason phrase that belongs to the status.
    public String title() {
        return switch (status) {
            case 414 -> "URI Too Long";
            case 431 -> "Request Header Fields Too Large";
            case 501 -> "Not Implemented";
            case 503 -> "Service unavailable";
            case 505 -> "HTTP Version Not Supported";
            default -> "Bad Request";
        };
    }
}
