package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests that are about the gateway itself, or that may go no further, by both HTTPs.
final class ServerOptionsTest {
    @RegisterExtension
    private static final RecordedHttp2 HTTP2 = RecordedHttp2.start();

    @RegisterExtension
    private static final HostileGateway GATEWAY = HostileGateway.ofAllTests();

    private static String ask(String line, String... fields) throws IOException {
        String more = fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
        return RawClient.exchange(
                GATEWAY.port(), line + "\r\nHost: a.example\r\nConnection: close\r\n" + more + "\r\n");
    }

    @Test
    void options_of_the_server_is_answered_by_the_gateway() throws IOException {
        assertThat(ask("OPTIONS * HTTP/1.1"))
                .startsWith("HTTP/1.1 200 OK")
                .contains("Content-Length: 0", "X-Request-Id");
        assertThat(GATEWAY.upstream.requests).isEmpty();
        try (Http2Wire client = HTTP2.gateway.wire()) {
            client.headers(1, true, Http2Wire.head("OPTIONS", "*"));
            assertThat(client.answer(1).status()).isEqualTo("200");
        }
        assertThat(HTTP2.upstream.requests).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://a.example", "HTTP://a.example", "https://a.example"})
    void options_of_a_url_without_path_and_query_are_of_the_server(String url) throws IOException {
        assertThat(ask("OPTIONS " + url + " HTTP/1.1"))
                .startsWith("HTTP/1.1 200 OK")
                .contains("Content-Length: 0");
        for (String other : List.of(url + "/none", url + "?x=1"))
            assertThat(ask("OPTIONS " + other + " HTTP/1.1")).doesNotContain("Content-Length: 0");
    }

    @Test
    void trace_is_refused_where_no_api_lists_it() throws IOException {
        String answer = ask("TRACE /up HTTP/1.1");

        assertThat(answer)
                .startsWith("HTTP/1.1 405 ")
                .contains("method-not-allowed")
                .contains("Allow: DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT\r\n");
        assertThat(GATEWAY.upstream.requests).isEmpty();
        try (Http2Wire client = HTTP2.gateway.wire()) {
            client.headers(1, true, Http2Wire.head("TRACE", "/"));
            assertThat(client.answer(1).status()).isEqualTo("405");
        }
    }

    @Test
    void options_that_may_go_no_further_are_answered_with_what_the_api_serves() throws IOException {
        String answer = ask("OPTIONS /up HTTP/1.1", "Max-Forwards: 0");

        assertThat(answer).startsWith("HTTP/1.1 200 OK").contains("Allow: DELETE, GET, HEAD, OPTIONS, ");
        assertThat(GATEWAY.upstream.requests).isEmpty();
    }

    @Test
    void options_that_may_go_further_count_the_gateway() throws IOException {
        assertThat(ask("OPTIONS /up HTTP/1.1", "Max-Forwards: 10")).startsWith("HTTP/1.1 200 ");

        assertThat(GATEWAY.upstream.requests.getFirst().all("Max-Forwards")).containsExactly("9");
    }

    @ParameterizedTest
    @ValueSource(strings = {"5|0", "0|5", "5|5", "x|0"})
    void more_than_one_limit_of_how_far_is_refused_by_both_http(String limits) throws IOException {
        String[] each = limits.split("\\|", -1);

        assertThat(ask("OPTIONS /up HTTP/1.1", "Max-Forwards: " + each[0], "Max-Forwards: " + each[1]))
                .startsWith("HTTP/1.1 400 ")
                .contains("urn:gateway:problem:malformed-request", "Max-Forwards");
        assertThat(GATEWAY.upstream.requests).isEmpty();

        try (Http2Wire client = HTTP2.gateway.wire()) {
            String[] head = Http2Wire.head("OPTIONS", "/up");
            client.headers(1, true, Http2Wire.joined(head, "max-forwards", each[0], "max-forwards", each[1]));
            assertThat(client.answer(1).status()).isEqualTo("400");
        }
        assertThat(HTTP2.upstream.requests).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /up HTTP/1.1|0", "OPTIONS /up HTTP/1.1|-1", "OPTIONS /up HTTP/1.1|99999999999"})
    void other_methods_and_what_is_no_number_go_on_as_they_came(String request) throws IOException {
        String line = request.substring(0, request.indexOf('|'));
        String limit = request.substring(request.indexOf('|') + 1);

        assertThat(ask(line, "Max-Forwards: " + limit)).startsWith("HTTP/1.1 200 ");
        assertThat(GATEWAY.upstream.requests.getFirst().all("Max-Forwards")).containsExactly(limit);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/up?a[b]={c}|^`", "/up?%2F%c3%28%00=%25zz&%25", "/up?a?b/c;d"})
    void a_query_goes_on_octet_for_octet_by_both_http(String target) throws IOException {
        assertThat(ask("GET " + target + " HTTP/1.1")).startsWith("HTTP/1.1 200 ");
        assertThat(GATEWAY.upstream.requests.getFirst().requestLine()).isEqualTo("GET " + target + " HTTP/1.1");

        try (Http2Wire client = HTTP2.gateway.wire()) {
            assertThat(client.get(1, target).answer(1).content()).isEqualTo("served GET " + target + " HTTP/1.1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"%zz", "a=%", "%0", "a=%2&b=1", "%2", "a=%20%2g", "%u20ac", "%%20", "a=100%&b=%20"})
    void a_query_with_a_malformed_escape_is_refused_by_both_http(String query) throws IOException {
        assertThat(ask("GET /up?" + query + " HTTP/1.1"))
                .startsWith("HTTP/1.1 400 ")
                .contains("Content-Type: application/problem+json", "urn:gateway:problem:bad-query");
        assertThat(GATEWAY.upstream.bytes).hasValue(0);

        try (Http2Wire client = HTTP2.gateway.wire()) {
            Http2Wire.Answer answer = client.get(1, "/up?" + query).answer(1);

            assertThat(answer.status()).isEqualTo("400");
            assertThat(answer.fields()).containsEntry("content-type", "application/problem+json");
            assertThat(answer.content()).contains("urn:gateway:problem:bad-query");
        }
        assertThat(HTTP2.upstream.bytes).hasValue(0);
    }

    @Test
    void an_absolute_target_of_http_1_0_says_the_host_by_itself() throws IOException {
        String answer = RawClient.exchange(GATEWAY.port(), "GET http://b.example:81/up?x=1 HTTP/1.0\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.0 200 ");
        RecordingUpstream.Received got = GATEWAY.upstream.requests.getFirst();
        assertThat(got.requestLine()).isEqualTo("GET /up?x=1 HTTP/1.1");
        assertThat(got.all("X-Forwarded-Host")).containsExactly("b.example:81");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.2", "HTTP/1.9"})
    void a_later_version_of_http_1_is_served_as_1_1(String version) throws IOException {
        try (var client = new RawClient(GATEWAY.port())) {
            client.send("GET /up HTTP/1");
            client.send(version.substring("HTTP/1".length()) + "\r\nHost: a.example\r\n\r\n");
            client.send("GET /up " + version + "\r\nHost: a.example\r\nConnection: close\r\n\r\n");

            assertThat(client.readAll().split("(?=HTTP/1.1 \\d)", -1))
                    .hasSize(2)
                    .allMatch(answer -> answer.startsWith("HTTP/1.1 200 OK"));
        }
    }
}
