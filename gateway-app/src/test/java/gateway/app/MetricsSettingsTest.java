package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.app.metrics.MetricsSettings;
import gateway.app.metrics.OtlpReceiver;
import gateway.app.metrics.StatsdReceiver;
import gateway.json.InvalidConfigException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class MetricsSettingsTest {
    @Test
    void without_settings_only_the_admin_plane_tells() {
        MetricsSettings settings = read(Map.of());

        assertThat(settings.otlp()).isEmpty();
        assertThat(settings.statsd()).isEmpty();
        assertThat(settings.apis()).isEqualTo(100);
        assertThat(settings.pinned()).isFalse();
    }

    @Test
    void receivers_are_read_and_the_usual_path_is_added_to_a_location_without_one() {
        MetricsSettings settings = read(Map.of(
                "GATEWAY_METRICS_OTLP_URL", "http://collector:4318",
                "GATEWAY_METRICS_OTLP_HEADERS", "Authorization=Bearer abc, X-Tenant=one",
                "GATEWAY_METRICS_STATSD", "localhost:8125",
                "GATEWAY_METRICS_STATSD_DIALECT", "etsy",
                "GATEWAY_METRICS_INTERVAL", "10s"));

        OtlpReceiver otlp = settings.otlp().orElseThrow();
        assertThat(otlp.url()).isEqualTo(URI.create("http://collector:4318/v1/metrics"));
        assertThat(otlp.headers()).containsOnlyKeys("Authorization", "X-Tenant");
        assertThat(otlp.headers().get("Authorization").reveal()).isEqualTo("Bearer abc");
        assertThat(settings.statsd()).contains(new StatsdReceiver("localhost", 8125, StatsdReceiver.Dialect.ETSY));
        assertThat(settings.interval()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void wrong_ones_are_refused_by_name_all_at_once() {
        var wrong = Map.of(
                "GATEWAY_METRICS_OTLP_URL", "http://u:p@one:1",
                "GATEWAY_METRICS_OTLP_HEADERS", "no equals sign",
                "GATEWAY_METRICS_STATSD", "localhost",
                "GATEWAY_METRICS_PINNED", "maybe",
                "GATEWAY_METRICS_APIS", "-1");

        assertThatThrownBy(() -> read(wrong))
                .isInstanceOfSatisfying(
                        InvalidConfigException.class,
                        e -> assertThat(e.problems())
                                .extracting(problem -> problem.pointer())
                                .containsExactlyInAnyOrderElementsOf(wrong.keySet()));
    }

    @Test
    void credentials_are_never_shown() {
        Settings settings = Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_METRICS_OTLP_URL", "http://collector:4318",
                        "GATEWAY_METRICS_OTLP_HEADERS", "Authorization=Bearer hunter2"));

        assertThat(settings.toString()).doesNotContain("hunter2");
    }

    private static MetricsSettings read(Map<String, String> environment) {
        return Settings.read(Optional.empty(), environment).metrics();
    }
}
