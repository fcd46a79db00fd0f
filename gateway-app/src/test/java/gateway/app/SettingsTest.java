package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import gateway.app.settings.Address;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.key.Pepper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SettingsTest {
    private static final String GOOD_TOKEN = "0123456789abcdef0123456789abcdef";

    @TempDir
    private Path folder;

    @Test
    void every_setting_has_a_default_that_it_can_read() {
        Settings settings = Settings.read(Optional.empty(), Map.of());

        assertThat(settings.listen()).contains(new Address("0.0.0.0", 8080));
        assertThat(settings.adminListen()).isEqualTo(new Address("127.0.0.1", 9090));
        assertThat(settings.store().uri()).isEmpty();
        assertThat(settings.values())
                .hasSameSizeAs(Settings.ALL)
                .allMatch(value -> value.origin().equals("default"));
    }

    @Test
    void the_environment_comes_before_the_file_and_the_file_before_defaults() {
        Path file = file("gateway.yaml", "listen: 127.0.0.1:1\nadminListen: 127.0.0.1:2\n");

        Settings settings = Settings.read(Optional.of(file), Map.of("GATEWAY_LISTEN", "127.0.0.1:3"));

        assertThat(settings.listen()).contains(new Address("127.0.0.1", 3));
        assertThat(settings.adminListen().port()).isEqualTo(2);
        assertThat(settings.values().getFirst().origin()).isEqualTo("GATEWAY_LISTEN");
        assertThat(settings.values().get(1).origin()).isEqualTo(file.toString());
    }

    @Test
    void json_and_yaml_say_the_same_with_the_same_keys() {
        Path yaml = file("gateway.yaml", "ioThreads: 3\ntrustedProxies: [10.0.0.0/8, '::1']\ndrainTimeout: 5s\n");
        Path json = file(
                "gateway.json",
                "{\"ioThreads\": 3, \"trustedProxies\": [\"10.0.0.0/8\", \"::1\"], \"drainTimeout\": \"5s\"}");

        Settings fromYaml = Settings.read(Optional.of(yaml), Map.of());
        Settings fromJson = Settings.read(Optional.of(json), Map.of());

        assertThat(fromYaml.ioThreads()).isEqualTo(fromJson.ioThreads()).isEqualTo(3);
        assertThat(fromYaml.trustedProxies()).hasSize(2).isEqualTo(fromJson.trustedProxies());
        assertThat(fromYaml.drainTimeout()).isEqualTo(fromJson.drainTimeout());
    }

    @Test
    void a_store_in_redis_takes_its_pepper_deadline_and_namespace_from_settings_and_hides_the_pepper() {
        String pepper = "0f".repeat(32);

        Settings settings = Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_STORE", "redis://localhost",
                        "GATEWAY_KEY_PEPPER", pepper,
                        "GATEWAY_REDIS_NAMESPACE", "blue",
                        "GATEWAY_REDIS_DEADLINE", "50ms"));

        var redis = settings.redis().orElseThrow();
        assertThat(redis.pepper().orElseThrow().digest("s"))
                .isEqualTo(Pepper.of(HexFormat.of().parseHex(pepper)).digest("s"));
        assertThat(redis.namespace()).isEqualTo("blue");
        assertThat(redis.deadline()).isEqualTo(Duration.ofMillis(50));
        assertThat(settings.values().toString()).doesNotContain(pepper);
        assertThat(problems(Optional.empty(), Map.of("GATEWAY_KEY_PEPPER", pepper.substring(1)))
                        .toString())
                .contains("64 hexadecimal digits")
                .doesNotContain(pepper.substring(1));
    }

    @Test
    void every_problem_is_told_at_once_with_its_place() {
        Path file = file("gateway.yaml", "lisen: 127.0.0.1:1\nioThreads: many\nadminListen: {a: 1}\n");

        List<ConfigProblem> problems = problems(
                Optional.of(file),
                Map.of("GATEWAY_STROE", "memory", "GATEWAY_TRAFFIC_LOG", "kafka", "GATEWAY_STORE", "mysql://h"));

        assertThat(problems.stream().map(ConfigProblem::toString))
                .containsExactlyInAnyOrder(
                        "/lisen: unknown setting; did you mean \"listen\"?",
                        "/adminListen: expected one value or a list of values",
                        "/ioThreads: expected a whole number from 1 to 256, got \"many\"",
                        "GATEWAY_STROE: unknown setting; did you mean \"GATEWAY_STORE\"?",
                        "GATEWAY_TRAFFIC_LOG: expected one of \"off\", \"file\", \"stdout\", \"elasticsearch\", got \"kafka\"",
                        "GATEWAY_STORE: expected \"memory\", or a redis://, rediss://, redis-sentinel:// or"
                                + " redis-cluster:// location, got \"mysql://h\"");
    }

    @ParameterizedTest
    @CsvSource({"W1,2,256", "W2,4,512", "W4,8,1024", "W8,16,3072"})
    void a_tier_decides_what_is_not_set(String tier, int ioThreads, int requestsInFlight) {
        Settings settings = Settings.read(Optional.empty(), Map.of("GATEWAY_TIER", tier));

        assertThat(settings.ioThreads()).isEqualTo(ioThreads);
        assertThat(settings.requestsInFlight()).isEqualTo(requestsInFlight);
    }

    @Test
    void secrets_are_never_shown() {
        Settings settings = Settings.read(
                Optional.empty(),
                Map.of("GATEWAY_ADMIN_TOKEN", GOOD_TOKEN, "GATEWAY_STORE", "redis://alice:hunter2@h:6379/0"));

        assertThat(settings.toString()).doesNotContain(GOOD_TOKEN).doesNotContain("hunter2");
        assertThat(settings.store().uri()).contains("redis://alice:hunter2@h:6379/0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"redis://h:1", "rediss://u:p@h:1/2", "redis-sentinel://a:1,b:2/0#main", "redis-cluster://a:1,b:2"
            })
    void redis_locations_are_stores(String location) {
        assertThat(Settings.read(Optional.empty(), Map.of("GATEWAY_STORE", location))
                        .store()
                        .uri())
                .contains(location);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GATEWAY_SERVICE_HOST",
                "GATEWAY_PORT",
                "GATEWAY_PORT_8080_TCP_ADDR",
                "GATEWAY_ADMIN_SERVICE_PORT_HTTP",
                "GATEWAY_JAVA_OPTS"
            })
    void variables_that_the_surroundings_set_are_no_settings(String variable) {
        Settings settings = Settings.read(Optional.empty(), Map.of(variable, "tcp://10.0.0.1:8080"));

        assertThat(settings.values()).allMatch(value -> value.origin().equals("default"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0:9090", "[::]:9090", "192.0.2.1:9090"})
    void off_loopback_nothing_starts_without_a_long_token(String address) {
        List<ConfigProblem> none = problems(Optional.empty(), Map.of("GATEWAY_ADMIN_LISTEN", address));
        List<ConfigProblem> shorter = problems(
                Optional.empty(),
                Map.of("GATEWAY_ADMIN_LISTEN", address, "GATEWAY_ADMIN_TOKEN", GOOD_TOKEN.substring(1)));

        assertThat(none.getFirst().message()).contains("32 characters").contains("GATEWAY_ADMIN_TOKEN");
        assertThat(shorter.getFirst().message()).isEqualTo("expected 32 characters or more, got 31");
        assertThat(Settings.read(
                                Optional.empty(),
                                Map.of("GATEWAY_ADMIN_LISTEN", address, "GATEWAY_ADMIN_TOKEN", GOOD_TOKEN))
                        .adminToken())
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "short",
                "changeme-changeme-changeme-changeme",
                "admin-password-secret-token-12345678",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                "with a space 0123456789 0123456789 abcdef"
            })
    void tokens_that_can_be_guessed_are_refused_without_being_shown(String token) {
        List<ConfigProblem> problems = problems(Optional.empty(), Map.of("GATEWAY_ADMIN_TOKEN", token));

        assertThat(problems).hasSize(1);
        assertThat(problems.getFirst().pointer()).isEqualTo("GATEWAY_ADMIN_TOKEN");
        assertThat(problems.getFirst().message()).doesNotContain(token);
    }

    @Test
    void a_file_that_is_missing_or_malformed_is_named() {
        Path missing = folder.resolve("missing.yaml");
        Path malformed = file("bad.yaml", "a: [");
        Path twice = file("twice.yaml", "listen: 127.0.0.1:1\nlisten: 127.0.0.1:2\n");

        assertThatThrownBy(() -> Settings.read(Optional.of(missing), Map.of())).hasMessageContaining("missing.yaml");
        assertThatThrownBy(() -> Settings.read(Optional.of(malformed), Map.of()))
                .hasMessageContaining("bad.yaml");
        assertThatThrownBy(() -> Settings.read(Optional.of(twice), Map.of())).hasMessageContaining("listen");
    }

    @Test
    void an_empty_file_sets_nothing() {
        assertThat(Settings.read(Optional.of(file("gateway.yaml", "# nothing\n")), Map.of())
                        .values())
                .allMatch(value -> value.origin().equals("default"));
    }

    private static List<ConfigProblem> problems(Optional<Path> file, Map<String, String> environment) {
        return catchThrowableOfType(InvalidConfigException.class, () -> Settings.read(file, environment))
                .problems();
    }

    private Path file(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
