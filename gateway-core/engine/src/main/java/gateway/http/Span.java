package gateway.http;

/// One stretch of a request whose trace is recorded, by the rules of OpenTelemetry: the request itself, or a call to
/// something outside from within it. Used by one thread at a time and handed on explicitly: nothing is looked up from
/// the thread. Attributes have the names of OpenTelemetry's semantic conventions, or begin with `gateway.`.
public interface Span {
    /// What a stretch is to the rest of its trace.
    enum Kind {
        SERVER,
        INTERNAL,
        CLIENT
    }

    /// Begins a stretch within this one.
    Span begin(Kind kind, String name);

    void rename(String name);

    void set(String attribute, String value);

    void set(String attribute, long value);

    /// It did not work.
    ///
    /// @param type such as a status code or what went wrong in one word, of few different values (`error.type`)
    void fail(String type);

    /// `00-<trace id>-<span id>-<flags>` (W3C Trace Context): what a request sent from within this stretch carries.
    String traceparent();

    /// Ends it now. Again: does nothing.
    void end();
}
