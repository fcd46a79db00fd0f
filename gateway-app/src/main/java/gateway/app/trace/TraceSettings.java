package gateway.app.trace;

import gateway.http.Secret;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/// Where spans go and how many.
///
/// @param endpoint full location of the collector's OTLP receiver for traces, `http/protobuf`
/// @param ratio share of the traces beginning here that is recorded, 0 to 1
/// @param headers sent with every request to it
/// @param serviceName what traces call this gateway
/// @param timeout longest time that one request to it takes, and that the end of the process waits for the last
public record TraceSettings(
        URI endpoint,
        double ratio,
        Map<String, Secret> headers,
        String serviceName,
        String node,
        String version,
        Duration timeout) {
    public TraceSettings {
        headers = Map.copyOf(headers);
    }
}
