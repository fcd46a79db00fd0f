package gateway.app.proxy;

import static gateway.app.proxy.Http2Sockets.agreed;
import static gateway.app.proxy.Http2Sockets.connect;
import static gateway.app.proxy.Http2Wire.head;
import static gateway.app.proxy.Http2Wire.joined;
import static gateway.app.proxy.VersionsGateway.BY_HEADER;
import static gateway.app.proxy.VersionsGateway.BY_PATH;
import static gateway.app.proxy.VersionsGateway.BY_QUERY;
import static gateway.app.proxy.VersionsGateway.LIST;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.service.TrafficRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Versions of an API as clients of HTTP/2 choose them and hear of their end, requests and WebSockets alike.
final class VersionsHttp2Test {
    @RegisterExtension
    private final VersionsGateway gateway = VersionsGateway.start();

    private Http2Wire.Answer get(String target, String... fields) throws IOException {
        try (Http2Wire client = gateway.http2()) {
            return client.headers(1, true, joined(head("GET", target), fields)).answer(1);
        }
    }

    private static List<String> received(RecordingUpstream upstream) {
        return upstream.requests.stream()
                .map(RecordingUpstream.Received::requestLine)
                .toList();
    }

    @Test
    void a_header_chooses_on_each_stream_of_one_connection() throws IOException {
        gateway.serve("'versions': {" + BY_HEADER + "'strip': true, " + LIST + "}");
        try (Http2Wire client = gateway.http2()) {
            client.headers(1, true, joined(head("GET", "/orders/1"), "x-api-version", "v1"));
            assertThat(client.answer(1).status()).isEqualTo("200");
            client.headers(3, true, joined(head("GET", "/orders/2"), "x-api-version", "v2"));
            assertThat(client.answer(3).fields())
                    .containsEntry(":status", "200")
                    .containsEntry("vary", "X-Api-Version");
            client.headers(5, true, head("GET", "/orders/3"));
            assertThat(client.answer(5).content()).contains("version-missing");
        }
        Http2Wire.Answer unknown = get("/orders", "x-api-version", "v9");

        assertThat(received(gateway.first)).containsExactly("GET /orders/1 HTTP/1.1");
        assertThat(received(gateway.second)).containsExactly("GET /orders/2 HTTP/1.1");
        assertThat(gateway.second.requests.getFirst().all("X-Api-Version")).isEmpty();
        assertThat(unknown.status()).isEqualTo("400");
        assertThat(unknown.content()).contains("version-unknown");
    }

    @Test
    void two_headers_are_ambiguous() throws IOException {
        gateway.serve("'versions': {" + BY_HEADER + "'default': 'v1', " + LIST + "}");

        assertThat(get("/orders", "x-api-version", "v1", "x-api-version", "v2").content())
                .contains("version-ambiguous");
        assertThat(gateway.first.requests).isEmpty();
    }

    @Test
    void a_query_parameter_chooses_and_is_stripped() throws IOException {
        gateway.serve("'versions': {" + BY_QUERY + "'strip': true, " + LIST + "}");

        assertThat(get("/orders?a=%2F&version=v2&b").status()).isEqualTo("200");
        assertThat(get("/orders?version=v1&version=v2").content()).contains("version-ambiguous");

        assertThat(received(gateway.second)).containsExactly("GET /orders?a=%2F&b HTTP/1.1");
    }

    @Test
    void a_segment_of_the_path_chooses_and_is_stripped() throws IOException {
        gateway.serve("'versions': {" + BY_PATH + "'strip': true, 'default': 'v1', " + LIST + "}");

        assertThat(get("/orders/v2/%61?x").status()).isEqualTo("200");
        assertThat(get("/orders/b").status()).isEqualTo("200");

        assertThat(received(gateway.second)).containsExactly("GET /orders/%61?x HTTP/1.1");
        assertThat(received(gateway.first)).containsExactly("GET /orders/b HTTP/1.1");
    }

    @Test
    void answers_of_a_deprecated_version_tell_of_its_end_before_and_after_it() throws IOException {
        gateway.serve("'versions': {" + BY_HEADER + "'default': 'v1', 'list': [{'name': 'v1',"
                + " 'deprecatedSince': '2026-01-01T00:00:00Z', 'expires': '2026-06-02T00:00:00Z',"
                + " 'link': 'https://example.com/end'}]}");

        Http2Wire.Answer before = get("/orders");
        gateway.services.clock().advance(Duration.ofDays(1));
        Http2Wire.Answer after = get("/orders");

        assertThat(before.status()).isEqualTo("200");
        assertThat(after.status()).isEqualTo("403");
        for (Http2Wire.Answer answer : List.of(before, after)) {
            assertThat(answer.fields())
                    .containsEntry("deprecation", "@1767225600")
                    .containsEntry("sunset", "Tue, 02 Jun 2026 00:00:00 GMT")
                    .containsEntry("link", "<https://example.com/end>; rel=\"deprecation sunset\"");
        }
    }

    @Test
    void a_socket_is_opened_to_the_version_that_its_handshake_names_and_hears_of_its_end() throws Exception {
        try (var upstream = new RawUpstream();
                Http2Wire client = gateway.http2()) {
            String second = "'upstream': " + VersionsGateway.upstream(upstream.url());
            gateway.serve("'versions': {" + BY_QUERY + "'strip': true, 'list': [{'name': 'v1'}, {'name': 'v2',"
                    + " 'sunset': '2027-06-01T12:00:00Z', " + second + "}]}");
            client.headers(1, false, connect("websocket", "/orders?version=v2&a"));
            RawConnection server = upstream.accept();
            String asked = server.readHead();
            server.send(agreed(asked) + "-pong");

            assertThat(Http.start(asked)).isEqualTo("GET /orders?a HTTP/1.1");
            assertThat(client.fields(client.next(Http2Wire.HEADERS)))
                    .containsEntry(":status", "200")
                    .containsEntry("sunset", "Tue, 01 Jun 2027 12:00:00 GMT");
            assertThat(client.next(Http2Wire.DATA).payload()).isEqualTo("-pong");
            client.data(1, true, "12345678");
            assertThat(server.readToEnd()).isEqualTo("12345678");
            server.close();
            assertRecorded(gateway.records.poll(20, TimeUnit.SECONDS));
        }
    }

    /// As a socket on HTTP/1.1 is, but for the version of HTTP.
    private static void assertRecorded(TrafficRecord record) {
        assertThat(record).isNotNull();
        assertThat(record.api().version()).isEqualTo("v2");
        assertThat(record.request().method()).isEqualTo("GET");
        assertThat(record.request().httpVersion()).isEqualTo("2");
        assertThat(record.request().bodyBytes()).isEqualTo(8);
        assertThat(record.responseBytes()).isEqualTo(5);
        assertThat(record.outcome().status()).isEqualTo(101);
    }

    @Test
    void an_api_that_takes_no_sockets_does_not_implement_them() throws IOException {
        gateway.serve("'webSocket': false");
        try (Http2Wire client = gateway.http2()) {
            client.headers(1, false, connect("websocket", "/orders"));

            Http2Wire.Answer answer = client.answer(1);
            assertThat(answer.status()).isEqualTo("501");
            assertThat(answer.content()).contains("urn:gateway:problem:no-websockets");
        }
        assertThat(gateway.first.requests).isEmpty();
    }
}
