package gateway.http;

/// A body that a policy is to see cannot be read: a request is refused for it, an answer becomes 502.
public final class BodyRefusedException extends RefusalException {
    private final Kind kind;
    private final String accepted;

    /// What is wrong, and what a client is told of its own body.
    public enum Kind {
        /// It is packed in a way that cannot be undone.
        CODING("unsupported-coding", 415, "Unsupported content coding"),
        /// It is said to be of another type, or in other characters, than it is read as.
        TYPE("unsupported-media-type", 415, "Unsupported media type"),
        /// It is not what it says it is.
        MALFORMED("malformed-body", 400, "Malformed body"),
        /// It is more than is read: too deep, or with a part that is too long.
        TOO_COMPLEX("content-too-complex", 400, "Content too complex");

        private final String type;
        private final int status;
        private final String title;

        Kind(String type, int status, String title) {
            this.type = type;
            this.status = status;
            this.title = title;
        }

        /// The type of the [Problem].
        public String type() {
            return type;
        }

        public int status() {
            return status;
        }

        public String title() {
            return title;
        }
    }

    private BodyRefusedException(Kind kind, String what, String accepted) {
        super(what);
        this.kind = kind;
        this.accepted = accepted;
    }

    /// @param what it is packed by
    /// @param accepted codings instead, as `Accept-Encoding` lists them
    static BodyRefusedException coding(String what, String accepted) {
        return new BodyRefusedException(Kind.CODING, "packed by " + what, accepted);
    }

    /// @param what it is, to be said after "The body is": `not said to be UTF-8`
    static BodyRefusedException type(String what) {
        return new BodyRefusedException(Kind.TYPE, what, "");
    }

    /// @param what it is, to be said after "The body is": `no gzip: it is cut off`
    public static BodyRefusedException malformed(String what) {
        return new BodyRefusedException(Kind.MALFORMED, what, "");
    }

    /// @param what it is, to be said after "The body is": `JSON of more than 64 levels`
    public static BodyRefusedException tooComplex(String what) {
        return new BodyRefusedException(Kind.TOO_COMPLEX, what, "");
    }

    public Kind kind() {
        return kind;
    }

    /// Codings that are understood, as `Accept-Encoding` lists them; empty unless another one was used.
    public String accepted() {
        return accepted;
    }
}
