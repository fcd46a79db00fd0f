package gateway.app.trace;

import gateway.app.settings.Setting;
import gateway.app.settings.Setting.Format;
import gateway.app.settings.SettingFormats;
import gateway.app.settings.SettingTable;
import gateway.app.settings.SettingsReader;
import gateway.app.settings.VersionText;
import gateway.http.HeaderText;
import gateway.http.Secret;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Every setting of tracing.
public final class TraceSettingTable {
    private static final String PATH = "/v1/traces";

    static final Setting<List<URI>> ENDPOINT = Setting.of(
                    "tracingEndpoint",
                    "",
                    "collector that spans are sent to, by OTLP over HTTP; no tracing when not set",
                    SettingFormats.HTTP_URIS)
            .shownAs(SettingFormats::hiddenUserAndQuery);
    static final Setting<Double> RATIO = Setting.of(
            "tracingRatio",
            "0.1",
            "share of the traces beginning here that is recorded; others go by what their caller decided",
            new Format<>("a number from 0 to 1 such as \"0.05\"", TraceSettingTable::ratio));
    static final Setting<List<Map.Entry<String, Secret>>> HEADERS = Setting.of(
                    "tracingHeaders",
                    "",
                    "headers for the collector, such as Authorization=Bearer …",
                    SettingFormats.list(new Format<>("headers as name=value", TraceSettingTable::header)))
            .shownAs(SettingFormats::hidden);
    static final Setting<String> SERVICE_NAME =
            Setting.of("tracingServiceName", "gateway", "what traces call this gateway", SettingFormats.TEXT);
    static final Setting<Duration> TIMEOUT = Setting.of(
            "tracingTimeout",
            "5s",
            "longest time that one request to the collector takes",
            SettingFormats.duration(Duration.ofMillis(100), Duration.ofMinutes(1)));

    public static final List<Setting<?>> ALL = List.of(ENDPOINT, RATIO, HEADERS, SERVICE_NAME, TIMEOUT);

    private TraceSettingTable() {}

    /// Empty when no request is traced.
    public static Optional<TraceSettings> read(SettingsReader reader) {
        List<URI> endpoints = reader.read(ENDPOINT);
        if (endpoints.isEmpty()) return Optional.empty();
        if (endpoints.size() > 1) problem(reader, "expected one location, got " + endpoints.size());
        URI endpoint = endpoints.getFirst();
        if (endpoint.getRawUserInfo() != null) {
            problem(reader, "expected no user in the location; set " + HEADERS.variable());
        }
        var headers = new LinkedHashMap<String, Secret>();
        for (Map.Entry<String, Secret> each : reader.read(HEADERS)) headers.put(each.getKey(), each.getValue());
        return Optional.of(new TraceSettings(
                complete(endpoint),
                reader.read(RATIO),
                headers,
                reader.read(SERVICE_NAME),
                reader.read(SettingTable.NODE),
                VersionText.version(),
                reader.read(TIMEOUT)));
    }

    /// A location without a path gets that of OTLP, as `OTEL_EXPORTER_OTLP_ENDPOINT` does.
    private static URI complete(URI endpoint) {
        String path = endpoint.getPath();
        return path.isEmpty() || path.equals("/") ? endpoint.resolve(PATH) : endpoint;
    }

    private static Optional<Double> ratio(String text) {
        if (!text.matches("[01]|[01]?\\.\\d{1,9}")) return Optional.empty();
        double ratio = Double.parseDouble(text);
        return ratio <= 1 ? Optional.of(ratio) : Optional.empty();
    }

    private static Optional<Map.Entry<String, Secret>> header(String text) {
        String[] parts = text.split("=", 2);
        if (parts.length < 2 || !HeaderText.isToken(parts[0]) || !HeaderText.isValue(parts[1])) return Optional.empty();
        return Optional.of(Map.entry(parts[0], new Secret(parts[1])));
    }

    private static void problem(SettingsReader reader, String message) {
        reader.problem(reader.place(ENDPOINT), message);
    }
}
