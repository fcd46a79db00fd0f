package gateway.config;

import static gateway.config.TestUpstreams.TARGETS;
import static gateway.config.TestUpstreams.problems;
import static gateway.config.TestUpstreams.read;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.RetryDefinition.Failure;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What `upstream` says of checks, ejection, breaker, retries and bulkhead.
final class SteeringReaderTest {
    @Test
    void reads_everything_that_an_upstream_can_be_told() {
        Steering steering = read("""
            {'targets': [{'url': 'http://h'}], 'balance': 'hash', 'hashBy': 'cookie:session', 'dnsRefresh': '5s',
             'healthCheck': {'path': '/up?deep=1', 'interval': '1s', 'timeout': '500ms', 'healthy': 1, 'unhealthy': 2,
                             'statuses': [204]},
             'ejection': {'failures': 3, 'serverErrors': false, 'time': '1s', 'maxTime': '1m', 'maxPercent': 100},
             'circuitBreaker': {'failurePercent': 20, 'slowCall': '1s', 'slowPercent': 30, 'window': '10s',
                                'minRequests': 5, 'open': '2s', 'probes': 1},
             'retry': {'attempts': 3, 'on': ['timeout'], 'statuses': [500], 'methods': ['POST'],
                       'perTryTimeout': '1s', 'budgetPercent': 10, 'backoff': '0ms', 'maxBackoff': '1s', 'maxBody': 1},
             'bulkhead': {'requests': 10, 'queue': 5, 'maxWait': '2s'}}""").steering();

        assertThat(steering)
                .isEqualTo(new Steering(
                        "orders",
                        new RequestTrait(RequestTrait.Kind.COOKIE, "session"),
                        Optional.of(new HealthCheckDefinition(
                                HealthCheckDefinition.Type.HTTP,
                                "/up?deep=1",
                                seconds(1),
                                Duration.ofMillis(500),
                                1,
                                2,
                                Set.of(204))),
                        Optional.of(new EjectionDefinition(3, false, seconds(1), seconds(60), 100)),
                        Duration.ZERO,
                        Optional.of(new CircuitBreakerDefinition(
                                20, Optional.of(seconds(1)), 30, seconds(10), 5, seconds(2), 1)),
                        Optional.of(new RetryDefinition(
                                3,
                                Set.of(Failure.TIMEOUT),
                                Set.of(500),
                                Set.of("POST"),
                                Optional.of(seconds(1)),
                                10,
                                Duration.ZERO,
                                seconds(1),
                                1)),
                        Optional.of(new BulkheadDefinition(10, 5, seconds(2))),
                        seconds(5),
                        Optional.empty(),
                        Optional.empty()));
    }

    @Test
    void empty_objects_mean_what_the_page_says() {
        Steering steering = read("{" + TARGETS + """
            , 'healthCheck': {}, 'ejection': {}, 'circuitBreaker': {}, 'retry': {}, 'bulkhead': {'requests': 1}}""").steering();

        assertThat(steering.healthCheck())
                .contains(new HealthCheckDefinition(
                        HealthCheckDefinition.Type.HTTP, "/", seconds(5), seconds(2), 2, 3, Set.of()));
        assertThat(steering.ejection()).contains(new EjectionDefinition(5, true, seconds(30), seconds(300), 50));
        assertThat(steering.circuitBreaker())
                .contains(new CircuitBreakerDefinition(50, Optional.empty(), 50, seconds(30), 20, seconds(10), 3));
        assertThat(steering.retry())
                .contains(new RetryDefinition(
                        2,
                        Set.of(Failure.UNREACHABLE, Failure.BROKEN),
                        Set.of(502, 503, 504),
                        Set.of(),
                        Optional.empty(),
                        20,
                        Duration.ofMillis(25),
                        Duration.ofMillis(250),
                        64 << 10));
        assertThat(steering.bulkhead()).contains(new BulkheadDefinition(1, 0, seconds(1)));
    }

    @Test
    void an_upstream_that_is_told_nothing_is_not_steered() {
        assertThat(read("{" + TARGETS + "}").steering().isOff()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        7                                        | : expected an object, got 7
        {'type': 'udp'}                          | /type: expected one of "http", "tcp", "grpc", got "udp"
        {'path': 'health'}                       | /path: expected a path such as "/health", got "health"
        {'path': '/a b'}                         | /path: expected a path such as "/health", got "/a b"
        {'path': 7}                              | /path: expected text, got 7
        {'type': 'tcp', 'path': '/'}             | /path: expected nothing, since "type" is "tcp"
        {'type': 'tcp', 'statuses': [200]}       | /statuses: expected nothing, since "type" is "tcp"
        {'type': 'grpc', 'path': '/'}            | /path: expected nothing, since "type" is "grpc"
        {'type': 'tcp', 'service': 'a.B'}        | /service: expected nothing, since "type" is not "grpc"
        {'type': 'grpc', 'service': 'a b'}       | /service: expected a name such as "package.Service", got "a b"
        {'statuses': [99]}                       | /statuses/0: expected 100 to 599, got 99
        {'interval': '1ms'}                      | /interval: expected a duration from 100ms to 1h, got "1ms"
        {'interval': '1s', 'timeout': '2s'}      | /timeout: expected at most "interval", 1s, got 2s
        {'healthy': 0}                           | /healthy: expected 1 to 100, got 0
        {'unhealthy': 101}                       | /unhealthy: expected 1 to 100, got 101
        {'port': 81}                             | /port: unknown field
        """)
    void refuses_a_wrong_health_check(String check, String problem) {
        assertThat(problems("{" + TARGETS + ", 'healthCheck': " + check + "}"))
                .containsExactly("/healthCheck" + problem);
    }

    @Test
    void a_check_goes_to_targets_in_the_clear_and_to_those_that_speak_tls() {
        assertThat(problems("{'targets': [{'url': 'http://a'}, {'url': 'https://b'}], 'healthCheck': {}}"))
                .isEmpty();
        assertThat(problems("{'targets': [{'url': 'https://b'}], 'healthCheck': {'type': 'tcp'}}"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        []                                       | : expected an object, got []
        {'failures': 0}                          | /failures: expected 1 to 1000, got 0
        {'serverErrors': 'yes'}                  | /serverErrors: expected true or false, got "yes"
        {'time': '1ms'}                          | /time: expected a duration from 100ms to 1h, got "1ms"
        {'time': '30s', 'maxTime': '1s'}         | /maxTime: expected at least "time", 30s, got 1s
        {'maxPercent': 101}                      | /maxPercent: expected 1 to 100, got 101
        {'interval': '1s'}                       | /interval: unknown field
        """)
    void refuses_a_wrong_ejection(String ejection, String problem) {
        assertThat(problems("{" + TARGETS + ", 'ejection': " + ejection + "}")).containsExactly("/ejection" + problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        'on'                                     | : expected an object, got "on"
        {'failurePercent': 0}                    | /failurePercent: expected 1 to 100, got 0
        {'slowCall': '0s'}                       | /slowCall: expected a duration from 1ms to 1h, got "0s"
        {'slowPercent': 10}                      | /slowPercent: expected nothing, since there is no "slowCall"
        {'slowCall': '1s', 'slowPercent': 0}     | /slowPercent: expected 1 to 100, got 0
        {'window': '1ms'}                        | /window: expected a duration from 1s to 1h, got "1ms"
        {'minRequests': 0}                       | /minRequests: expected 1 to 1000000, got 0
        {'open': '2h'}                           | /open: expected a duration from 100ms to 1h, got "2h"
        {'probes': 0}                            | /probes: expected 1 to 1000, got 0
        {'treshold': 5}                          | /treshold: unknown field
        """)
    void refuses_a_wrong_circuit_breaker(String breaker, String problem) {
        assertThat(problems("{" + TARGETS + ", 'circuitBreaker': " + breaker + "}"))
                .containsExactly("/circuitBreaker" + problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        3                                        | : expected an object, got 3
        {'attempts': 1}                          | /attempts: expected 2 to 10, got 1
        {'on': ['refused']}                      | /on/0: expected one of "unreachable", "broken", "timeout", got "refused"
        {'on': [null]}                           | /on/0: expected a failure such as "broken", got nothing
        {'on': [], 'statuses': []}               | : expected something in "on" or "statuses", got nothing
        {'statuses': [200]}                      | /statuses/0: expected 400 to 599, got 200
        {'methods': ['get']}                     | /methods/0: expected a method such as "GET", got "get"
        {'perTryTimeout': '31s'}                 | /perTryTimeout: expected at most "timeout", 30s, got 31s
        {'budgetPercent': 21}                    | /budgetPercent: expected 1 to 20, got 21
        {'backoff': '2m'}                        | /backoff: expected a duration from 0s to 1m, got "2m"
        {'backoff': '1s', 'maxBackoff': '1ms'}   | /maxBackoff: expected at least "backoff", 1s, got 1ms
        {'maxBody': '17MiB'}                     | /maxBody: expected a size from 0 to 16777216 bytes, got "17MiB"
        {'count': 2}                             | /count: unknown field
        """)
    void refuses_a_wrong_retry(String retry, String problem) {
        assertThat(problems("{" + TARGETS + ", 'retry': " + retry + "}")).containsExactly("/retry" + problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        true                                     | : expected an object, got true
        {}                                       | /requests: expected a whole number from 1 to 1000000, got nothing
        {'requests': 0}                          | /requests: expected 1 to 1000000, got 0
        {'requests': 1, 'queue': -1}             | /queue: expected 0 to 100000, got -1
        {'requests': 1, 'maxWait': '1s'}         | /maxWait: expected nothing, since there is no "queue"
        {'requests': 1, 'queue': 1, 'maxWait': '0s'} | /maxWait: expected a duration from 1ms to 1h, got "0s"
        {'requests': 1, 'wait': '1s'}            | /wait: unknown field
        """)
    void refuses_a_wrong_bulkhead(String bulkhead, String problem) {
        assertThat(problems("{" + TARGETS + ", 'bulkhead': " + bulkhead + "}")).containsExactly("/bulkhead" + problem);
    }

    private static Duration seconds(long count) {
        return Duration.ofSeconds(count);
    }
}
