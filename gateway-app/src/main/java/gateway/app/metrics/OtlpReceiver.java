package gateway.app.metrics;

import gateway.http.Secret;
import java.net.URI;
import java.util.Map;

/// Who takes metrics by OTLP over HTTP.
///
/// @param url the whole of it, such as `http://collector:4318/v1/metrics`
/// @param headers sent with every request, for credentials
public record OtlpReceiver(URI url, Map<String, Secret> headers) {
    public OtlpReceiver {
        headers = Map.copyOf(headers);
    }
}
