package gateway.service;

import gateway.http.Span;
import org.jspecify.annotations.Nullable;

/// Calls to one server.
public interface ServerCalls {
    /// Sends a request and waits for its whole answer, whatever its status; redirects are not followed. On any thread
    /// that may wait: of a request, a worker, a timer, but no IO thread.
    ///
    /// @param within what is under way, such as [gateway.http.Exchange#span]: the call is a stretch of it; null:
    ///     nothing is recorded
    /// @throws DependencyException when there is no whole answer within the bounds. Its reason is the word of a
    ///     [gateway.http.FailureReason], or `too-large`
    CallAnswer send(CallRequest request, CallBounds bounds, @Nullable Span within);
}
