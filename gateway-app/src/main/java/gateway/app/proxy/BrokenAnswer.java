package gateway.app.proxy;

import gateway.http.Response;
import gateway.http.UpstreamException;
import gateway.wire.client.StreamedBody;
import org.jspecify.annotations.Nullable;

/// An answer that the upstream broke off, or that is late, before anything of it was passed on: nobody knows of
/// its head, so the client is told that there is none. Once something was passed on, all that is left is to cut
/// it (RFC 9110 §6.1). See decision 238.
final class BrokenAnswer {
    private BrokenAnswer() {}

    /// What broke `answer`, as it is about to leave; null when nothing did. On the IO thread.
    static @Nullable UpstreamException failure(Response answer) {
        if (!(answer.body() instanceof StreamedBody body)) return null;
        body.look();
        return body.failure();
    }
}
