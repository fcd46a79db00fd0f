package gateway.app.metrics;

import gateway.app.settings.Address;
import gateway.app.settings.Setting;
import gateway.app.settings.SettingFormats;
import gateway.app.settings.SettingTable;
import gateway.app.settings.SettingsReader;
import gateway.http.Secret;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Every setting of metrics.
public final class MetricsSettingTable {
    private static final String HEADER_NAME = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
    private static final String OTLP_PATH = "/v1/metrics"; // where OTLP receivers take metrics

    static final Setting<Integer> APIS = Setting.of(
            "metricsApis",
            "100",
            "APIs that have meters of their own; those past it are told together",
            SettingFormats.wholeNumber(0, 10_000));
    static final Setting<Boolean> PINNED = Setting.of(
            "metricsPinned",
            "off",
            "whether to count threads that hold their carrier, by Java Flight Recorder",
            SettingFormats.SWITCH);
    static final Setting<Duration> INTERVAL = Setting.of(
            "metricsInterval",
            "1m",
            "how often metrics are sent to the receivers below",
            SettingFormats.duration(Duration.ofMillis(100), Duration.ofHours(1)));
    static final Setting<List<URI>> OTLP_URL = Setting.of(
                    "metricsOtlpUrl", "", "receiver of metrics by OTLP over HTTP", SettingFormats.HTTP_URIS)
            .shownAs(SettingFormats::hiddenUserAndQuery);
    static final Setting<Map<String, Secret>> OTLP_HEADERS = Setting.of(
                    "metricsOtlpHeaders",
                    "",
                    "headers of requests to it, for credentials",
                    new Setting.Format<>("name=value,name=value", MetricsSettingTable::headers))
            .shownAs(SettingFormats::hidden);
    static final Setting<List<Address>> STATSD = Setting.of(
            "metricsStatsd", "", "receiver of metrics by StatsD over UDP", SettingFormats.list(SettingFormats.ADDRESS));
    static final Setting<StatsdReceiver.Dialect> STATSD_DIALECT = Setting.of(
            "metricsStatsdDialect",
            "datadog",
            "how tags are written there",
            SettingFormats.choice(StatsdReceiver.Dialect.class, SettingFormats::lowerCase));

    public static final List<Setting<?>> ALL =
            List.of(APIS, PINNED, INTERVAL, OTLP_URL, OTLP_HEADERS, STATSD, STATSD_DIALECT);

    private MetricsSettingTable() {}

    public static MetricsSettings read(SettingsReader reader) {
        List<URI> urls = oneAtMost(OTLP_URL, reader);
        List<Address> statsd = oneAtMost(STATSD, reader);
        if (urls.stream().anyMatch(url -> url.getRawUserInfo() != null)) {
            reader.problem(reader.place(OTLP_URL), "expected no user in the location; set " + OTLP_HEADERS.variable());
        }
        Map<String, Secret> headers = reader.read(OTLP_HEADERS);
        return new MetricsSettings(
                reader.read(SettingTable.NODE),
                reader.read(APIS),
                reader.read(PINNED),
                reader.read(INTERVAL),
                urls.stream().findFirst().map(url -> new OtlpReceiver(whole(url), headers)),
                statsd.stream()
                        .findFirst()
                        .map(address ->
                                new StatsdReceiver(address.host(), address.port(), reader.read(STATSD_DIALECT))));
    }

    private static <T> List<T> oneAtMost(Setting<List<T>> setting, SettingsReader reader) {
        List<T> found = reader.read(setting);
        if (found.size() > 1) reader.problem(reader.place(setting), "expected one, got " + found.size());
        return found;
    }

    private static URI whole(URI url) {
        return url.getPath().isEmpty() || url.getPath().equals("/") ? url.resolve(OTLP_PATH) : url;
    }

    private static Optional<Map<String, Secret>> headers(String text) {
        var headers = new LinkedHashMap<String, Secret>();
        if (text.isBlank()) return Optional.of(headers);
        for (String each : text.split(",", -1)) {
            int equals = each.indexOf('=');
            String name = equals < 1 ? "" : each.substring(0, equals).strip();
            if (!name.matches(HEADER_NAME)) return Optional.empty();
            headers.put(name, new Secret(each.substring(equals + 1).strip()));
        }
        return Optional.of(headers);
    }
}
