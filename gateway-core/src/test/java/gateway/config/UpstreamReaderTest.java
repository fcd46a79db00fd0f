package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.RetryDefinition.Failure;
import gateway.http.AllowedNetworks;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UpstreamReaderTest {
    private static final String TARGETS = "'targets': [{'url': 'http://h'}]";

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
                        Set.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"),
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
        'balance': 'random'                                  | /balance: expected one of "round-robin", "least-requests", "hash", got "random"
        'balance': 'hash'                                    | /hashBy: expected text, got nothing
        'balance': 'hash', 'hashBy': 'path'                  | /hashBy: expected "ip", "key", "header:<name>" or "cookie:<name>", got "path"
        'balance': 'hash', 'hashBy': 'header:a b'            | /hashBy: expected "ip", "key", "header:<name>" or "cookie:<name>", got "header:a b"
        'balance': 'hash', 'hashBy': 'header:x_u'            | /hashBy: expected a header name without '_', which no request arrives with, got "x_u"
        'balance': 'hash', 'hashBy': 'cookie:'               | /hashBy: expected "ip", "key", "header:<name>" or "cookie:<name>", got "cookie:"
        'hashBy': 'ip'                                       | /hashBy: expected nothing, since "balance" is not "hash"
        'balance': 'hash', 'hashBy': 'ip', 'slowStart': '1s' | /slowStart: expected nothing, since "balance" is "hash": requests would change their target
        'slowStart': '2h'                                    | /slowStart: expected a duration from 0s to 1h, got "2h"
        'dnsRefresh': '10ms'                                 | /dnsRefresh: expected a duration from 1s to 1d, got "10ms"
        'connectTimeout': '0ms'                              | /connectTimeout: expected a duration from 1ms to 1d, got "0ms"
        'responseTimeout': 'soon'                            | /responseTimeout: expected a duration such as "500ms", "1s", "15m" or "30d", got "soon"
        'timeout': '25h'                                     | /timeout: expected a duration from 1ms to 1d, got "25h"
        'preserveHost': 1                                    | /preserveHost: expected true or false, got 1
        'retries': {}                                        | /retries: unknown field
        """)
    void refuses_a_wrong_field_under_its_pointer(String field, String problem) {
        assertThat(problems("{" + TARGETS + ", " + field + "}")).containsExactly(problem);
    }

    @Test
    void every_target_is_spoken_to_by_the_protocol_of_the_upstream() {
        var upstream = read("""
            {'protocol': 'h2', 'targets': [{'url': 'https://a'}], 'tls': {'serverName': 'b.example'},
             'mirror': {'targets': [{'url': 'https://c'}]},
             'split': {'branches': [{'name': 'x', 'percent': 1, 'targets': [{'url': 'https://d'}]}]}}""");

        assertThat(upstream.targets()).extracting(TargetDefinition::protocol).containsExactly(UpstreamProtocol.H2);
        assertThat(upstream.steering().mirror().orElseThrow().targets())
                .extracting(TargetDefinition::protocol)
                .containsExactly(UpstreamProtocol.H2);
        assertThat(upstream.steering().split().orElseThrow().targets())
                .extracting(TargetDefinition::protocol)
                .containsExactly(UpstreamProtocol.H2);
        assertThat(read("{" + TARGETS + "}").targets().getFirst().protocol()).isEqualTo(UpstreamProtocol.HTTP1);
        assertThat(read("{" + TARGETS + ", 'protocol': 'h2c'}")
                        .targets()
                        .getFirst()
                        .protocol())
                .isEqualTo(UpstreamProtocol.H2C);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        http://h  | h3   | expected one of "http1", "h2", "h2c", "auto", got "h3"
        http://h  | h2   | expected "h2c" or "http1", since a target begins with http://
        http://h  | auto | expected "h2c" or "http1", since a target begins with http://
        https://h | h2c  | expected "h2", "auto" or "http1", since a target begins with https://
        """)
    void refuses_a_protocol_that_targets_cannot_speak(String url, String protocol, String problem) {
        assertThat(problems("{'targets': [{'url': '" + url + "'}], 'protocol': '" + protocol + "'}"))
                .containsExactly("/protocol: " + problem);
        assertThat(problems("{" + TARGETS + ", 'mirror': {'targets': [{'url': '" + url + "'}]}, 'protocol': '"
                        + protocol + "'}"))
                .contains("/protocol: " + problem);
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
        {'interval': '1s', 'timeout': '2s'}      | /timeout: expected a duration from 1ms to 1s, got "2s"
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
        {'time': '30s', 'maxTime': '1s'}         | /maxTime: expected a duration from 30s to 1d, got "1s"
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
        {'perTryTimeout': '31s'}                 | /perTryTimeout: expected a duration from 1ms to 30s, got "31s"
        {'budgetPercent': 21}                    | /budgetPercent: expected 1 to 20, got 21
        {'backoff': '2m'}                        | /backoff: expected a duration from 0s to 1m, got "2m"
        {'backoff': '1s', 'maxBackoff': '1ms'}   | /maxBackoff: expected a duration from 1s to 1h, got "1ms"
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

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        []                                       | : expected 1 to 256 targets, got 0
        {}                                       | : expected an array, got {}
        null                                     | : expected an array of targets, got nothing
        [{'url': 'http://2852039166'}]           | /0/url: expected a name or an address in full, got "2852039166"
        [{}]                                     | /0/url: expected text, got nothing
        [{'url': 'http://h', 'weight': 1001}]    | /0/weight: expected 0 to 1000, got 1001
        [{'url': 'http://h', 'weight': 0}]       | : expected a target with a weight over 0, got none
        [{'url': 'http://h', 'wieght': 2}]       | /0/wieght: unknown field; did you mean "weight"?
        [{'url': 'http://169.254.169.254'}]      | /0/url: expected an address that the gateway may call, got 169.254.169.254
        [{'url': 'http://[fe80::1%25eth0]'}]     | /0/url: expected an address that the gateway may call, got fe80:0:0:0:0:0:0:1
        [{'url': 'http://11.0.0.1'}]             | /0/url: expected an address that the gateway may call, got 11.0.0.1
        """)
    void refuses_wrong_targets(String targets, String problem) {
        assertThat(problems("{'targets': " + targets + "}")).containsExactly("/targets" + problem);
    }

    @ParameterizedTest
    @CsvSource({
        "ftp://h",
        "h:9001",
        "http://",
        "http://u:p@h",
        "http://h?a=1",
        "http://h#a",
        "http://h:0",
        "http://h:65536",
        "http://h/a/../b",
        "http://169.254.43518",
        "http://h h"
    })
    void refuses_a_url_that_is_not_plainly_one(String url) {
        assertThat(problems("{'targets': [{'url': '" + url + "'}]}"))
                .containsExactly("/targets/0/url: expected a URL such as \"http://10.0.0.1:9001/base\""
                        + " without user, query or fragment, got \"" + url + "\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        []                                                       | : expected an object, got []
        {}                                                       | /targets: expected an array of targets, got nothing
        {'targets': [{'url': 'http://11.0.0.1'}]}                | /targets/0/url: expected an address that the gateway may call, got 11.0.0.1
        {'targets': [{'url': 'http://m'}], 'percent': 0}         | /percent: expected 1 to 100, got 0
        {'targets': [{'url': 'http://m'}], 'requests': 0}        | /requests: expected 1 to 10000, got 0
        {'targets': [{'url': 'http://m'}], 'timeout': '1s'}      | /timeout: unknown field
        """)
    void refuses_a_wrong_mirror(String mirror, String problem) {
        assertThat(problems("{" + TARGETS + ", 'mirror': " + mirror + "}")).containsExactly("/mirror" + problem);
    }

    @Test
    void refuses_more_targets_than_it_can_hold() {
        String many = IntStream.range(0, 257)
                .mapToObj(i -> "{'url': 'http://h" + i + "'}")
                .collect(Collectors.joining(","));

        assertThat(problems("{'targets': [" + many + "]}"))
                .containsExactly("/targets: expected 1 to 256 targets, got 257");
    }

    @Test
    void a_zone_of_an_address_changes_nothing() {
        assertThat(problems("{'targets': [{'url': 'http://[fe80::1%eth0]'}]}"))
                .containsExactly(
                        "/targets/0/url: expected an address that the gateway may call, got fe80:0:0:0:0:0:0:1");
    }

    private static Duration seconds(long count) {
        return Duration.ofSeconds(count);
    }

    private static UpstreamDefinition read(String json) {
        var node = ConfigNode.parse(json.replace('\'', '"'));
        UpstreamDefinition upstream = new UpstreamReader(AllowedNetworks.USUAL).read(node, "orders");
        assertThat(node.problems()).isEmpty();
        return upstream;
    }

    private static List<String> problems(String json) {
        var node = ConfigNode.parse(json.replace('\'', '"'));
        var networks = AllowedNetworks.of(List.of(new gateway.http.IpRange(4, 0, 10L << 24, 8)));
        new UpstreamReader(networks).read(node, "orders");
        return node.problems().stream().map(ConfigProblem::toString).toList();
    }
}
