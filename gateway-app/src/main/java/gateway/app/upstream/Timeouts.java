package gateway.app.upstream;

import gateway.config.UpstreamDefinition;

/// How long an upstream may take, in nanoseconds.
///
/// @param connect until a connection stands
/// @param response from the last byte sent to the response head
/// @param total for the whole exchange, body included
record Timeouts(long connect, long response, long total) {
    static Timeouts of(UpstreamDefinition definition) {
        return new Timeouts(
                definition.connectTimeout().toNanos(),
                definition.responseTimeout().toNanos(),
                definition.timeout().toNanos());
    }
}
