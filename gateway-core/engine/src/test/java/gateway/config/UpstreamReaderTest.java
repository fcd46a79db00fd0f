package gateway.config;

import static gateway.config.TestUpstreams.TARGETS;
import static gateway.config.TestUpstreams.problems;
import static gateway.config.TestUpstreams.read;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.net.UpstreamProtocol;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What `upstream` says of targets, balancing, protocol and mirror.
final class UpstreamReaderTest {
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
}
