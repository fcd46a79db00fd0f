package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Durations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// What runs the gateway gives it the time that it may take.
final class ManifestsTest {
    private static final Path ROOT = Path.of("..");

    /// Records that are on their way to a disk that is slow to take them.
    private static final Duration SPARE = Duration.ofSeconds(5);

    /// A start with 10,000 definitions on one busy processor, as W1 has.
    private static final Duration LARGEST_START = Duration.ofMinutes(1);

    @Test
    void kubernetes_kills_no_gateway_that_still_stops() throws IOException {
        JsonNode pod = deployment().at("/spec/template/spec");
        var settings = new HashMap<String, String>();
        for (JsonNode variable : pod.at("/containers/0/env")) {
            String name = variable.get("name").stringValue();
            if (name.equals("GATEWAY_SHUTDOWN_DELAY") || name.equals("GATEWAY_DRAIN_TIMEOUT"))
                settings.put(name, variable.get("value").stringValue());
        }
        var grace = Duration.ofSeconds(pod.get("terminationGracePeriodSeconds").longValue());

        assertThat(settings).hasSize(2);
        assertThat(longestStop(settings).plus(SPARE)).isLessThanOrEqualTo(grace);
    }

    @Test
    void compose_kills_no_gateway_that_still_stops() throws IOException {
        JsonNode gateway = yaml("docker/compose.yaml").at("/services/gateway");
        Duration grace =
                Durations.parse(gateway.get("stop_grace_period").stringValue()).orElseThrow();

        String drain = gateway.at("/environment/GATEWAY_DRAIN_TIMEOUT").stringValue();

        assertThat(longestStop(Map.of("GATEWAY_DRAIN_TIMEOUT", drain)).plus(SPARE))
                .isLessThanOrEqualTo(grace);
    }

    @Test
    void the_document_says_how_long_a_stop_takes() throws IOException {
        String document = Files.readString(ROOT.resolve("docs/lifecycle.md"));
        Matcher told = Pattern.compile("`shutdownDelay` \\+ `drainTimeout` \\+ (\\d+) s before")
                .matcher(document);

        assertThat(told.find()).isTrue();
        Duration rest = longestStop(Map.of("GATEWAY_SHUTDOWN_DELAY", "0s", "GATEWAY_DRAIN_TIMEOUT", "0s"));
        assertThat(Duration.ofSeconds(Long.parseLong(told.group(1)))).isEqualTo(rest.plus(SPARE));
    }

    @Test
    void kubernetes_waits_for_a_start_four_times_as_long_as_the_largest_takes() throws IOException {
        JsonNode probe = deployment().at("/spec/template/spec/containers/0/startupProbe");
        long seconds = probe.get("periodSeconds").longValue()
                * probe.get("failureThreshold").longValue();

        assertThat(Duration.ofSeconds(seconds)).isGreaterThanOrEqualTo(LARGEST_START.multipliedBy(4));
    }

    private static Duration longestStop(Map<String, String> environment) {
        Settings settings = Settings.read(Optional.empty(), environment);
        return settings.shutdownDelay().plus(settings.stopAfterDelay());
    }

    private static JsonNode deployment() throws IOException {
        return yaml("k8s/base/deployment.yaml");
    }

    private static JsonNode yaml(String file) throws IOException {
        return new YAMLMapper().readTree(Files.readString(ROOT.resolve(file)));
    }
}
