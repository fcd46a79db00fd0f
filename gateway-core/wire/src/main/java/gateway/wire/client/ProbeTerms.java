package gateway.wire.client;

import java.time.Duration;
import java.util.function.IntPredicate;

/// What a probe asks a server for, and which answer is a good one.
///
/// @param path of the HTTP request, with its query
/// @param good of which status, 0 for an answer that has none; asked for HTTP alone
/// @param service of gRPC that is asked about; empty text: the server as a whole
/// @param timeout for the whole probe
public record ProbeTerms(Kind kind, String path, IntPredicate good, String service, Duration timeout) {
    public enum Kind {
        /// A `GET` whose answer's status tells.
        HTTP,
        /// A connection that can be made is enough.
        TCP,
        /// A call of `grpc.health.v1.Health/Check` that tells SERVING.
        GRPC
    }
}
