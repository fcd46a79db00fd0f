package gateway.service;

import gateway.http.Span;

/// Where the spans of requests go.
public interface Tracer {
    /// Whether a trace that begins here is recorded. Traces that began elsewhere go by what their caller decided.
    ///
    /// @param traceId 32 hexadecimal digits; the same one is always decided the same way
    boolean samples(String traceId);

    /// Begins the span of a request whose trace is recorded. Returns at once and never throws; a span that finds no
    /// room when it ends is dropped and counted.
    ///
    /// @param traceparent of this hop (W3C Trace Context): its span id is the new span's
    /// @param caller span id of who sent the request, 16 hexadecimal digits; empty when the trace begins here
    /// @param startedAt by `System.nanoTime()`
    Span begin(String traceparent, String caller, long startedAt);
}
