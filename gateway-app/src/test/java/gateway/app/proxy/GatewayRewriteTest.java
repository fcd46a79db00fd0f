package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import gateway.app.DefinedGateway;
import gateway.json.Json;
import gateway.wire.tls.TestAuthority;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Requests that a whole gateway sends on as others than its clients sent, octet by octet as the upstream got them.
@Timeout(90)
final class GatewayRewriteTest {
    private static final String HELLO_IN_CHUNKS = "5\r\nhello\r\n0\r\n\r\n";

    @TempDir
    private Path data;

    private final RecordingUpstream upstream = new RecordingUpstream();
    private final List<AutoCloseable> open = new ArrayList<>();

    GatewayRewriteTest() throws IOException {}

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) each.close();
        upstream.close();
    }

    private <T extends AutoCloseable> T closing(T resource) {
        open.add(resource);
        return resource;
    }

    private DefinedGateway start(String policies) {
        return start(policies, "");
    }

    private DefinedGateway start(String policies, String more) {
        return closing(DefinedGateway.start(data, """
                {"id": "orders", "match": {"path": "/"}%s, "policies": [%s],
                 "upstream": {"targets": [{"url": "%s"}]}}""".formatted(more, policies, upstream.url())));
    }

    private RawConnection client(DefinedGateway gateway) throws IOException {
        return closing(RawConnection.to(gateway.address()));
    }

    private String get(DefinedGateway gateway, String target) throws IOException {
        return client(gateway)
                .send("GET " + target + " HTTP/1.1\r\nHost: api.example.com\r\n\r\n")
                .readAnswer();
    }

    /// What the upstream has got; null: the client was told `why` in its place.
    private void isReceived(String received, String answer, String... why) {
        if (received == null) {
            assertThat(answer).startsWith("HTTP/1.1 400 ").contains(why);
            assertThat(upstream.requests).isEmpty();
            return;
        }
        assertThat(answer).startsWith("HTTP/1.1 200 ");
        assertThat(requestLine()).isEqualTo(received);
    }

    private String requestLine() {
        assertThat(upstream.faults).isEmpty();
        return upstream.requests.getLast().requestLine();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/a%3fb/c%23d       | GET /api/a%3fb/c%23d HTTP/1.1",
                "/v1/a%20HTTP/1.1?x=%2f | GET /api/a%20HTTP/1.1?x=%2f HTTP/1.1",
                "/v1/%c3%bc;p=1        | GET /api/%c3%bc;p=1 HTTP/1.1",
                "/%76%31/x             | GET /api/x HTTP/1.1",
            })
    void what_a_group_captures_goes_on_as_data(String sent, String received) throws IOException {
        DefinedGateway gateway =
                start("{\"type\": \"rewrite\", \"path\": {\"regex\": \"/v1/(.*)\", \"to\": \"/api/$1\"}}");

        assertThat(get(gateway, sent)).startsWith("HTTP/1.1 200 ");

        assertThat(requestLine()).isEqualTo(received);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/%2e%2e/admin", "/v1//admin", "/v1/a%2fb", "/v1/a%00b", "/v1/..;x/admin", "/v1/%252e"})
    void a_path_that_leads_elsewhere_never_arrives(String sent) throws IOException {
        DefinedGateway gateway =
                start("{\"type\": \"rewrite\", \"path\": {\"regex\": \"/v1/(.*)\", \"to\": \"/api/$1\"}}");

        assertThat(get(gateway, sent)).startsWith("HTTP/1.1 400 ").contains("bad-path");

        assertThat(upstream.requests).isEmpty();
    }

    /// The client's own text, by a header, in a path of which it is to be one segment, or a path itself.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a/b      | false | ",
                "a/b      | true  | GET /t/a%2Fb HTTP/1.1",
                "a?b#c d  | false | GET /t/a%3Fb%23c%20d HTTP/1.1",
                "..       | false | GET /t/__ HTTP/1.1",
                "../admin | true  | ",
                "..\\admin | true | ",
                "%2e%2e   | true  | ",
                "a%0d%0ab | true  | ",
                "é        | false | GET /t/%C3%A9 HTTP/1.1"
            })
    void what_a_client_says_stays_within_its_segment(String said, boolean encodedSlashes, String received)
            throws IOException {
        DefinedGateway gateway = start(
                "{\"type\": \"rewrite\", \"path\": {\"template\": \"/t/{request.header.X-Tenant}\"}}",
                ", \"encodedSlashes\": " + encodedSlashes);

        String answer = client(gateway)
                .send("GET /x HTTP/1.1\r\nHost: a\r\nX-Tenant: " + said + "\r\n\r\n")
                .readAnswer();

        isReceived(received, answer, "bad-path");
    }

    /// `/t/` is another place than `/t/7`, and `/t/7/` another than `/t/7/a`.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/t/{request.query.a}                  | ?b=1     | ",
                "/t/{request.query.a}                  | ?a=      | ",
                "/{request.query.a}                    | ?b=1     | ",
                "/t/{request.query.a}{request.query.b} | ?c=1     | ",
                "/t/{request.query.a}{request.query.b} | ?a=1     | GET /t/1?a=1 HTTP/1.1",
                "/t/{request.query.a}/b                | ?b=1     | ",
                "/t{request.path}                      | ?a=1     | GET /t/x/?a=1 HTTP/1.1",
                "/t/{var.sub-path}                     | ?a=1     | ",
                "/t/{request.query.a}/                 | ?a=1     | GET /t/1/?a=1 HTTP/1.1",
            })
    void no_segment_comes_out_empty(String template, String query, String received) throws IOException {
        DefinedGateway gateway = start("{\"type\": \"rewrite\", \"path\": {\"template\": \"" + template + "\"}}");

        String answer = get(gateway, "/x/" + query);

        isReceived(received, answer, "bad-path", "an empty segment");
    }

    /// Whoever decodes `/%2Fevil.example` on the way has `//evil.example`, another host.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/{request.header.X-To}                | /evil.example    | ",
                "/{request.header.X-To}                | //evil.example   | ",
                "/{request.header.X-To}                | \\evil.example    | ",
                "/{var.to-path}                        | /evil.example    | ",
                "/{var.to-path}                        | \\evil.example    | ",
                "/{var.to-path}                        | %2fevil.example  | ",
                "/{var.to-path}                        | %5Cevil.example  | ",
                "/{var.to-path}                        | %09/evil.example | ",
                "https://{request.host}/{var.to-path}  | %2fevil.example  | ",
                "/users/{request.header.X-To}          |                  | ",
                "/users/{request.header.X-To}          | a/b              | /users/a%2Fb",
                "/users/{request.header.X-To}          | /evil.example    | /users/%2Fevil.example",
                "/{var.to-path}                        | users/7          | /users/7",
            })
    void a_redirect_leads_to_no_host_that_a_value_says(String to, String said, String location) throws IOException {
        DefinedGateway gateway = start("""
                {"type": "tag", "set": {"var.to-path": "{request.header.X-To}"}},
                {"type": "redirect", "to": "%s"}""".formatted(to));

        String answer = client(gateway)
                .send("GET /x HTTP/1.1\r\nHost: a\r\nX-To: " + (said == null ? "" : said) + "\r\n\r\n")
                .readAnswer();

        if (location == null) assertThat(answer).startsWith("HTTP/1.1 400 ").contains("bad-path");
        else assertThat(answer).startsWith("HTTP/1.1 307 ").contains("Location: " + location + "\r\n");
        assertThat(upstream.requests).isEmpty();
    }

    @Test
    void a_redirect_to_the_path_that_came_leads_to_no_host_that_it_names() throws IOException {
        DefinedGateway gateway =
                start("{\"type\": \"redirect\", \"to\": \"{request.path}\"}", ", \"encodedSlashes\": true");

        assertThat(get(gateway, "/%2fevil.example")).startsWith("HTTP/1.1 400 ").contains("bad-path");
        assertThat(get(gateway, "/a%2fb")).startsWith("HTTP/1.1 307 ").contains("Location: /a%2fb\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../admin", "a//admin", "%2e%2e/admin", "a/%2e%2e", "..;/admin", "a%2Fb"})
    void a_path_that_a_client_says_passes_what_paths_of_clients_pass(String said) throws IOException {
        DefinedGateway gateway = start("""
                {"type": "tag", "set": {"var.path": "{request.header.X-Path}"}},
                {"type": "rewrite", "path": {"template": "/t/{var.path}"}}""");

        String answer = client(gateway)
                .send("GET /x HTTP/1.1\r\nHost: a\r\nX-Path: " + said + "\r\n\r\n")
                .readAnswer();

        assertThat(answer).startsWith("HTTP/1.1 400 ").contains("bad-path");
        assertThat(upstream.requests).isEmpty();
    }

    @Test
    void what_was_decided_by_the_path_that_came_stays_decided_and_recorded() throws Exception {
        DefinedGateway gateway = closing(
                DefinedGateway.start(data, Map.of("GATEWAY_TRAFFIC_LOG", "file"), """
                {"id": "orders", "match": {"path": "/orders"}, "stripPath": true, "policies": [
                   {"type": "path-rules", "block": [{"path": "/admin"}]},
                   {"type": "rewrite", "path": {"prefix": "/", "to": "/admin"}, "method": "PUT"},
                   {"type": "headers", "when": {"paths": ["/list"], "methods": ["GET"]},
                    "request": {"set": {"X-Path": "{request.method} {request.path}"}}}],
                 "operations": [{"id": "list", "match": {"methods": ["GET"], "path": "/list"}, "policies": [
                   {"type": "headers", "request": {"set": {"X-Operation": "list"}}}]}],
                 "upstream": {"targets": [{"url": "%s"}]}}""".formatted(upstream.url())));

        assertThat(get(gateway, "/orders/list")).startsWith("HTTP/1.1 200 ");
        assertThat(get(gateway, "/orders/admin")).startsWith("HTTP/1.1 403 ");

        assertThat(upstream.requests).hasSize(1);
        assertThat(requestLine()).isEqualTo("PUT /admin/list HTTP/1.1");
        assertThat(upstream.requests.getLast().all("X-Path")).containsExactly("GET /orders/list");
        assertThat(upstream.requests.getLast().all("X-Operation")).containsExactly("list");
        until(() -> records().size() == 2);
        assertThat(records())
                .anyMatch(each -> each.contains("\"method\":\"GET\"") && each.contains("\"path\":\"/orders/list\""));
        assertThat(gateway.admin()
                        .call("POST", "/explain", "{\"path\": \"/orders/list\"}")
                        .at("/upstream/path")
                        .asString())
                .isEqualTo("/admin/list");
    }

    private List<String> records() {
        try {
            return Files.readAllLines(data.resolve("traffic.ndjson"));
        } catch (IOException e) {
            return List.of();
        }
    }

    @Test
    void a_method_takes_its_body_along_or_leaves_it() throws IOException {
        DefinedGateway gateway = start("""
                {"type": "rewrite", "rules": [
                  {"when": {"headers": {"X-As": "GET"}}, "method": "GET"},
                  {"when": {"headers": {"X-As": "PUT"}}, "method": "PUT"},
                  {"when": {"headers": {"X-As": "POST"}}, "method": "POST"}]}""");
        RawConnection client = client(gateway);

        client.send("POST /x HTTP/1.1\r\nHost: a\r\nX-As: GET\r\nContent-Type: a/b\r\nContent-Length: 5\r\n\r\nhello");
        assertThat(client.readAnswer()).endsWith("served GET /x HTTP/1.1");
        client.send("POST /x HTTP/1.1\r\nHost: a\r\nX-As: GET\r\nTransfer-Encoding: chunked\r\n\r\n" + HELLO_IN_CHUNKS);
        assertThat(client.readAnswer()).endsWith("served GET /x HTTP/1.1");
        client.send("POST /x HTTP/1.1\r\nHost: a\r\nX-As: PUT\r\nContent-Length: 5\r\n\r\nhello");
        assertThat(client.readAnswer()).endsWith("served PUT /x HTTP/1.1");
        client.send("GET /x HTTP/1.1\r\nHost: a\r\nX-As: POST\r\n\r\n");
        assertThat(client.readAnswer()).endsWith("served POST /x HTTP/1.1");

        assertThat(upstream.faults).isEmpty();
        assertThat(upstream.requests)
                .extracting(RecordingUpstream.Received::body)
                .containsExactly("", "", "hello", "");
        assertThat(upstream.requests.getFirst().all("Content-Length")).isEmpty();
        assertThat(upstream.requests.getFirst().all("Content-Type")).isEmpty();
        assertThat(upstream.requests.get(1).all("Transfer-Encoding")).isEmpty();
        assertThat(upstream.requests.getLast().all("Content-Length")).containsExactly("0");
    }

    @Test
    void an_answer_fits_what_the_client_asked_whatever_the_upstream_was_asked() throws IOException {
        var played = closing(new RawUpstream());
        DefinedGateway gateway = closing(DefinedGateway.start(data, """
                {"id": "orders", "match": {"path": "/"}, "policies": [{"type": "rewrite", "rules": [
                   {"when": {"methods": ["POST"]}, "method": "HEAD"},
                   {"when": {"headers": {"X-Head": "*"}}, "method": "GET"}]}],
                 "upstream": {"targets": [{"url": "%s"}]}}""".formatted(played.url())));
        RawConnection client = client(gateway);

        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
        RawConnection server = played.accept();
        assertThat(server.readHead()).startsWith("HEAD / HTTP/1.1\r\n");
        server.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
        assertThat(client.readAnswer()).contains("Content-Length: 0\r\n");

        client.send("HEAD / HTTP/1.1\r\nHost: a\r\nX-Head: 1\r\n\r\n");
        RawConnection second = closing(played.accept()); // that of an answer to HEAD is not used again
        assertThat(second.readHead()).startsWith("GET / HTTP/1.1\r\n");
        second.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
        assertThat(client.readHead()).contains("Content-Length: 5\r\n");

        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        RawConnection third = closing(played.accept()); // the content that nobody read has cost the second
        assertThat(third.readHead()).startsWith("GET / HTTP/1.1\r\n");
        third.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nagain");
        assertThat(client.readAnswer()).endsWith("\r\n\r\nagain");
    }

    @Test
    void an_upstream_of_http2_gets_the_same() throws IOException {
        var played = closing(new RawUpstream());
        DefinedGateway gateway = closing(DefinedGateway.start(data, """
                {"id": "orders", "match": {"path": "/"}, "policies": [
                   {"type": "rewrite", "path": {"prefix": "/v1", "to": "/api"}, "query": {"set": {"a": "b c"}},
                    "method": "GET", "host": "orders.internal:81"}],
                 "upstream": {"protocol": "h2c", "targets": [{"url": "%s"}]}}""".formatted(played.url())));
        RawConnection client = client(gateway)
                .send("POST /v1/x%3f?a=1 HTTP/1.1\r\nHost: api.example.com\r\nContent-Length: 5\r\n\r\nhello");
        Http2Wire server = Http2Wire.serving(played.accept()).frame(Http2Wire.SETTINGS, 0, 0);

        Http2Wire.Frame head = server.next(Http2Wire.HEADERS);

        assertThat(head.ends()).isTrue();
        assertThat(server.fields(head))
                .contains(
                        entry(":method", "GET"),
                        entry(":authority", "orders.internal:81"),
                        entry(":path", "/api/x%3f?a=b%20c"))
                .doesNotContainKeys("content-length", "host");
        server.headers(1, false, ":status", "200", "content-length", "5").data(1, true, "hello");
        assertThat(client.readAnswer()).endsWith("hello");
    }

    @Test
    void host_is_another_one_and_the_name_in_tls_stays_the_targets() throws Exception {
        var authority = new TestAuthority();
        var secure = closing(new SecureUpstream(authority, authority.issue("localhost", "localhost")));
        int port = URI.create(secure.url()).getPort();
        Path ca = authority.write(data.resolve("ca.pem"));
        DefinedGateway gateway = closing(DefinedGateway.start(data, """
                {"id": "orders", "match": {"path": "/"},
                 "policies": [{"type": "rewrite", "host": "other.example"}],
                 "upstream": {"targets": [{"url": "https://localhost:%d"}], "tls": {"ca": "%s"}}}""".formatted(port, ca)));

        assertThat(get(gateway, "/")).endsWith("localhost from nobody 0");
    }

    @Test
    void retries_and_mirrors_send_what_the_policy_has_made() throws Exception {
        var mirrored = closing(new RecordingUpstream());
        var failing = closing(new RawUpstream());
        failing.refuse();
        DefinedGateway gateway =
                closing(DefinedGateway.start(data, """
                {"id": "orders", "match": {"path": "/orders"}, "stripPath": true, "policies": [
                   {"type": "rewrite", "path": {"prefix": "/", "to": "/api"}, "method": "PUT", "host": "h.internal"}],
                 "upstream": {"targets": [{"url": "%s", "weight": 1}, {"url": "%s", "weight": 1}],
                   "retry": {"attempts": 3, "methods": ["PUT"]},
                   "mirror": {"targets": [{"url": "%s"}]}}}""".formatted(failing.url(), upstream.url(), mirrored.url())));

        assertThat(get(gateway, "/orders/7")).startsWith("HTTP/1.1 200 ");

        assertThat(gateway.admin().get("/metrics").body())
                .containsPattern("gateway_upstream_retries_total\\{.*} 1\\.0");
        until(() -> mirrored.requests.size() == 1);
        var all = new ArrayList<>(upstream.requests);
        all.addAll(mirrored.requests);
        assertThat(all).hasSize(2).allSatisfy(received -> {
            assertThat(received.requestLine()).isEqualTo("PUT /api/7 HTTP/1.1");
            assertThat(received.all("Host")).containsExactly("h.internal");
        });
    }

    @Test
    void a_branch_is_chosen_by_what_the_body_says() throws Exception {
        var green = closing(new RecordingUpstream());
        String definition = """
                {"id": "orders", "match": {"path": "/"}, "policies": [{"type": "rewrite", "rules": [
                   {"when": {"body": {"/customer/type": "company"}}, "target": "green"},
                   {"when": {"headers": {"X-Main": "*"}}, "target": "main"}]}],
                 "upstream": {"targets": [{"url": "%s"}], "split": {"branches": [
                   {"name": "green", "percent": 0, "targets": [{"url": "%s"}]}]}}}""".formatted(upstream.url(), green.url());
        DefinedGateway gateway = closing(DefinedGateway.start(data, definition));
        RawConnection client = client(gateway);

        for (String type : List.of("company", "person")) {
            String body = "{\"customer\": {\"type\": \"" + type + "\"}}";
            client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Type: application/json; charset=utf-8\r\n"
                    + "Content-Length: " + body.length() + "\r\n\r\n" + body);
            assertThat(client.readAnswer()).startsWith("HTTP/1.1 200 ");
        }

        assertThat(green.requests)
                .singleElement()
                .satisfies(received -> assertThat(received.body()).contains("company"));
        assertThat(upstream.requests)
                .singleElement()
                .satisfies(received -> assertThat(received.body()).contains("person"));
        JsonNode refused = Json.parse(gateway.admin()
                .send(
                        "PUT",
                        "/admin/v1/apis/orders",
                        definition.replace("\"target\": \"green\"", "\"target\": \"gren\""))
                .body());
        assertThat(refused.at("/errors/0/pointer").asString()).isEqualTo("/policies/0/rules/0/target");
        assertThat(refused.at("/errors/0/message").asString())
                .isEqualTo("expected a branch of the upstream, got \"gren\"; it has green, main");
    }
}
