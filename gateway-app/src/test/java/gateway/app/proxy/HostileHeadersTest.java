package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.http1.RawClient;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Headers by which a client claims to be somebody or somewhere else, on raw sockets.
final class HostileHeadersTest {
    private static final String CLAIMS = String.join(
            "\r\n",
            "X-Forwarded-For: 203.0.113.9, 198.51.100.7",
            "X-Real-IP: 203.0.113.9",
            "Forwarded: for=203.0.113.9",
            "X-Forwarded-Proto: https",
            "X-Forwarded-Host: evil.example",
            "X-Forwarded-Port: 1",
            "X-Request-Id: mine",
            "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "tracestate: a=b",
            "");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "close, X-User-Id, X-Forwarded-For, X-Request-Id, traceparent, Host",
                "X-User-Id,close",
                "CLOSE , x-user-id"
            })
    void what_a_client_names_as_hop_by_hop_goes_and_what_policies_inject_arrives(String connection) throws IOException {
        try (var gateway = HostileGateway.start()) {
            String answer = get(gateway, "X-User-Id: mallory\r\nConnection: " + connection + "\r\n");

            assertThat(answer).startsWith("HTTP/1.1 200 ");
            assertThat(gateway.upstream.requests).singleElement().satisfies(request -> {
                assertThat(request.all("X-User-Id")).containsExactly("alice");
                assertThat(request.all("X-Forwarded-For")).containsExactly("127.0.0.1");
                assertThat(request.all("X-Request-Id")).hasSize(1);
                assertThat(request.all("traceparent")).hasSize(1);
                assertThat(request.all("Host")).hasSize(1);
                assertThat(request.all("Connection")).isEmpty();
            });
        }
    }

    @Test
    void a_client_cannot_name_its_framing_as_hop_by_hop() throws IOException {
        try (var gateway = HostileGateway.start()) {
            String answer = RawClient.exchange(
                    gateway.port(),
                    "POST /injected HTTP/1.1\r\nHost: a.example\r\nConnection: content-length, transfer-encoding, close\r\n"
                            + "Content-Length: 5\r\n\r\nhello");

            assertThat(answer).startsWith("HTTP/1.1 200 ");
            assertThat(gateway.upstream.requests)
                    .singleElement()
                    .satisfies(request -> assertThat(request.body()).isEqualTo("hello"));
        }
    }

    @Test
    void claims_of_an_untrusted_peer_are_dropped() throws IOException {
        try (var gateway = HostileGateway.start()) {
            get(gateway, CLAIMS + "Connection: close\r\n");

            assertThat(gateway.upstream.requests).singleElement().satisfies(request -> {
                assertThat(request.all("X-Seen-Address")).containsExactly("127.0.0.1");
                assertThat(request.all("X-Forwarded-For")).containsExactly("127.0.0.1");
                assertThat(request.all("X-Forwarded-Proto")).containsExactly("http");
                assertThat(request.all("X-Forwarded-Host")).containsExactly("a.example");
                assertThat(request.all("X-Real-IP")).isEmpty();
                assertThat(request.all("Forwarded")).isEmpty();
                assertThat(request.all("X-Forwarded-Port")).isEmpty();
                assertThat(request.all("X-Request-Id")).hasSize(1).doesNotContain("mine");
                assertThat(request.all("tracestate")).isEmpty();
                assertThat(request.head()).doesNotContain("0af7651916cd43dd8448eb211c80319c");
            });
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Forwarded-Prefix",
                "x-forwarded-scheme",
                "X-Forwarded-Ssl",
                "X-Forwarded-Uri",
                "X-FORWARDED-USER",
                "X-Forwarded",
                "X-Original-URL",
                "X-Rewrite-URL",
                "true-client-ip",
                "X-Client-IP",
                "X-Cluster-Client-IP",
                "x_forwarded_for",
                "X_User_Id",
                "X-User_Id"
            })
    void a_claim_by_another_name_is_dropped(String name) throws IOException {
        try (var gateway = HostileGateway.start()) {
            get(gateway, "Accept: a\r\n" + name + ": mallory\r\nX-Forwarder: b\r\nConnection: close\r\n");

            assertThat(gateway.upstream.requests).singleElement().satisfies(request -> {
                assertThat(request.head()).doesNotContain("mallory");
                assertThat(request.all("Accept")).containsExactly("a");
                assertThat(request.all("X-Forwarder")).containsExactly("b");
            });
        }
    }

    @Test
    void of_many_fields_none_that_is_a_claim_is_left_and_none_else_is_lost() throws IOException {
        var fields = new StringBuilder();
        for (int i = 0; i < 25; i++) {
            fields.append("X-Forwarded-").append(i).append(": mallory\r\n");
            fields.append("x_").append(i).append(": mallory\r\n");
            fields.append("X-Kept-").append(i).append(": kept\r\n");
        }
        try (var gateway = HostileGateway.start()) {
            get(gateway, fields + "Connection: close\r\n");

            assertThat(gateway.upstream.requests).singleElement().satisfies(request -> {
                assertThat(request.head()).doesNotContain("mallory");
                for (int i = 0; i < 25; i++)
                    assertThat(request.all("X-Kept-" + i)).containsExactly("kept");
            });
        }
    }

    @Test
    void underscores_are_dropped_of_a_trusted_proxy_too_and_its_claims_pass() throws IOException {
        var trusted = HostileGateway.ranges("[\"127.0.0.0/8\"]");
        try (var gateway = HostileGateway.start(settings -> settings.withTrustedProxies(trusted))) {
            get(gateway, "X-Forwarded-Prefix: /a\r\nx_forwarded_prefix: mallory\r\nConnection: close\r\n");

            assertThat(gateway.upstream.requests).singleElement().satisfies(request -> {
                assertThat(request.all("X-Forwarded-Prefix")).containsExactly("/a");
                assertThat(request.head()).doesNotContain("mallory");
            });
        }
    }

    @Test
    void through_a_trusted_proxy_the_right_most_untrusted_address_counts() throws IOException {
        var trusted = HostileGateway.ranges("[\"127.0.0.0/8\", \"10.0.0.0/8\"]");
        try (var gateway = HostileGateway.start(settings -> settings.withTrustedProxies(trusted))) {
            get(gateway, CLAIMS.replace("198.51.100.7", "198.51.100.7, 10.0.0.5") + "Connection: close\r\n");

            assertThat(gateway.upstream.requests).singleElement().satisfies(request -> {
                assertThat(request.all("X-Seen-Address")).containsExactly("198.51.100.7");
                assertThat(request.all("X-Forwarded-For"))
                        .containsExactly("203.0.113.9, 198.51.100.7, 10.0.0.5, 127.0.0.1");
                assertThat(request.all("X-Forwarded-Proto")).containsExactly("https");
                assertThat(request.all("X-Request-Id")).containsExactly("mine");
                assertThat(request.head()).contains("0af7651916cd43dd8448eb211c80319c");
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "localhost", "203.0.113.9, unknown", "203.0.113.9,", "fe80::1%lo", "[::1", ",,,"})
    void a_malformed_hop_ends_the_walk_at_the_proxy(String hops) throws IOException {
        var trusted = HostileGateway.ranges("[\"127.0.0.0/8\"]");
        try (var gateway = HostileGateway.start(settings -> settings.withTrustedProxies(trusted))) {
            get(gateway, "X-Forwarded-For: " + hops + "\r\nConnection: close\r\n");

            assertThat(gateway.upstream.requests)
                    .singleElement()
                    .satisfies(
                            request -> assertThat(request.all("X-Seen-Address")).containsExactly("127.0.0.1"));
        }
    }

    private static String get(HostileGateway gateway, String lines) throws IOException {
        return RawClient.exchange(gateway.port(), "GET /injected HTTP/1.1\r\nHost: a.example\r\n" + lines + "\r\n");
    }
}
