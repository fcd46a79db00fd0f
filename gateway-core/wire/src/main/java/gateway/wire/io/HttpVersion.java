package gateway.wire.io;

/// A version of HTTP that clients speak.
public enum HttpVersion {
    HTTP_1_0("1.0"),
    HTTP_1_1("1.1"),
    HTTP_2("2");

    private final String number;
    private final String start;

    HttpVersion(String number) {
        this.number = number;
        this.start = "HTTP/" + number + ' ';
    }

    /// As the Elastic Common Schema writes it: `1.0`, `1.1`, `2`.
    public String number() {
        return number;
    }

    /// Writes how a status line of HTTP/1 begins, the space included.
    public HeadWriter start(HeadWriter to) {
        return to.put(start);
    }
}
