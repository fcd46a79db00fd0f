package gateway.app.cache;

import static gateway.Eventually.until;
import static gateway.app.cache.CountingUpstream.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.app.Gateway;
import gateway.app.Settings;
import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A whole gateway that keeps answers, as bytes on sockets.
@Timeout(120)
final class GatewayCacheTest {
    private static final String FRESH = "Cache-Control: max-age=60\nETag: \"1\"";

    private final CountingUpstream upstream = CountingUpstream.start(number -> answer(FRESH, "answer " + number));

    @TempDir
    private Path data;

    @AfterEach
    void stop() {
        upstream.close();
    }

    @Test
    void an_answer_is_given_again_whole_in_part_or_as_known() throws IOException {
        try (Gateway gateway = gateway("")) {
            String first = get(gateway, "/a", "");
            String again = get(gateway, "/a", "");
            String part = get(gateway, "/a", "Range: bytes=0-2\r\n");
            String known = get(gateway, "/a", "If-None-Match: \"1\"\r\n");
            String head = send(gateway, "HEAD /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nRange: bytes=0-2\r\n\r\n");

            assertThat(first)
                    .startsWith("HTTP/1.1 200")
                    .contains("gateway; fwd=miss; stored")
                    .endsWith("answer 1");
            assertThat(again)
                    .startsWith("HTTP/1.1 200")
                    .contains("gateway; hit; ttl=", "Age: ")
                    .endsWith("answer 1");
            assertThat(part).startsWith("HTTP/1.1 206").contains("bytes 0-2/8").endsWith("\r\n\r\nans");
            assertThat(known).startsWith("HTTP/1.1 304").endsWith("\r\n\r\n");
            assertThat(head)
                    .startsWith("HTTP/1.1 200")
                    .contains("Content-Length: 8")
                    .endsWith("\r\n\r\n");
            assertThat(upstream.asked()).isEqualTo(1);
        }
    }

    @Test
    void of_fifty_clients_one_asks_and_all_get_its_answer() throws Exception {
        var leave = new CountDownLatch(1);
        upstream.awaits(leave);
        try (Gateway gateway = gateway(", \"lockFor\": \"30s\"");
                var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 50; i++) answers.add(clients.submit(() -> get(gateway, "/a", "")));
            leave.countDown();

            for (Future<String> each : answers) assertThat(each.get()).endsWith("answer 1");
            assertThat(upstream.asked()).isEqualTo(1);
        }
    }

    /// As after a purge, or when many wait for what is stale.
    @Test
    void of_fifty_callers_with_credentials_one_asks_for_what_is_for_all() throws Exception {
        upstream.answers(number -> answer("Cache-Control: public, max-age=60" + aged(number), "answer " + number));
        try (Gateway gateway = gateway(", \"lockFor\": \"30s\"");
                var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            get(gateway, "/a", "Authorization: Bearer 0\r\n");
            var leave = new CountDownLatch(1);
            upstream.awaits(leave);
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 1; i <= 50; i++) {
                String caller = "Authorization: Bearer " + i + "\r\n";
                answers.add(clients.submit(() -> get(gateway, "/a", caller)));
            }
            until(() -> metrics(gateway).contains("gateway_requests_in_flight 50.0"));
            leave.countDown();

            for (Future<String> each : answers) assertThat(each.get()).endsWith("answer 2");
            assertThat(upstream.asked()).isEqualTo(2);
        }
    }

    @Test
    void a_stale_answer_waits_for_no_upstream_and_is_renewed_behind_it() throws Exception {
        upstream.answers(number -> answer(FRESH + aged(number), "answer " + number));
        try (Gateway gateway = gateway(", \"staleWhileRevalidate\": \"10m\"")) {
            get(gateway, "/a", "");
            var leave = new CountDownLatch(1);
            upstream.awaits(leave);

            assertThat(get(gateway, "/a", "")).contains("; hit; ttl=").endsWith("answer 1");
            assertThat(get(gateway, "/a", "")).endsWith("answer 1");

            until(() -> upstream.asked() == 2);
            leave.countDown();
            until(() -> get(gateway, "/a", "").endsWith("answer 2"));
            assertThat(upstream.asked()).isEqualTo(2);
            assertThat(upstream.last()).containsIgnoringCase("via: 1.1 gateway");
        }
    }

    @Test
    void while_an_upstream_is_away_what_is_stale_is_given_at_once() throws Exception {
        upstream.answers(number -> answer(FRESH + aged(number), "answer " + number));
        try (Gateway gateway = gateway(", \"staleWhileRevalidate\": \"10m\"")) {
            get(gateway, "/a", "");
            upstream.close();

            for (int i = 0; i < 5; i++) assertThat(get(gateway, "/a", "")).endsWith("answer 1");
        }
    }

    @Test
    void what_breaks_off_is_not_kept() throws IOException {
        upstream.answers(number -> number == 1
                ? answer(FRESH, "answer 1").replace("Content-Length: 8", "Content-Length: 80")
                : answer(FRESH, "answer " + number));
        try (Gateway gateway = gateway("")) {
            assertThatThrownBy(() -> get(gateway, "/a", "")).isInstanceOf(IOException.class);

            assertThat(get(gateway, "/a", "")).endsWith("answer 2");
            assertThat(get(gateway, "/a", "")).endsWith("answer 2");
        }
    }

    @Test
    void what_is_sent_in_chunks_is_kept_whole_and_larger_ones_pass() throws IOException {
        upstream.answers(number -> "HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n"
                + "Cache-Control: max-age=60\r\n\r\n3\r\nabc\r\n5\r\nde" + number % 10 + "xx\r\n0\r\n\r\n");
        try (Gateway gateway = gateway(", \"maxObject\": 8")) {
            get(gateway, "/a", "");

            assertThat(get(gateway, "/a", "")).contains("Content-Length: 8").endsWith("\r\n\r\nabcde1xx");

            upstream.answers(number -> answer(FRESH, "answer  " + number));
            get(gateway, "/b", "");
            assertThat(get(gateway, "/b", "")).endsWith("answer  3");
        }
    }

    /// Attack 38.
    @Test
    void no_caller_gets_anothers_answer_nor_one_that_was_steered() throws IOException {
        try (Gateway gateway = gateway("")) {
            String one = get(gateway, "/a", "Authorization: Bearer one\r\n");
            String two = get(gateway, "/a", "Authorization: Bearer two\r\n");
            String nobody = get(gateway, "/a", "");
            String cookie = get(gateway, "/account/x.css", "Cookie: session=1\r\n");
            String other = get(gateway, "/account/x.css", "");
            String steered = get(gateway, "/b", "X-Forwarded-Host: evil\r\n");
            String fat =
                    send(gateway, "GET /c HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 4\r\n\r\nevil");
            String lean = get(gateway, "/c", "");

            assertThat(List.of(one, two, nobody, cookie, other))
                    .allSatisfy(each -> assertThat(each).contains("fwd=miss"));
            assertThat(steered).contains("fwd=miss");
            assertThat(fat).contains("fwd=bypass");
            assertThat(lean).contains("fwd=miss").endsWith("answer 8");
        }
    }

    @Test
    void answers_to_401_206_and_with_cookies_are_not_kept() throws IOException {
        try (Gateway gateway = gateway("")) {
            for (String answer : List.of(
                    answer(FRESH, "x").replace("200 OK", "401 No"),
                    answer(FRESH + "\nContent-Range: bytes 0-0/2", "x").replace("200 OK", "206 Part"),
                    answer(FRESH + "\nSet-Cookie: a=b", "x"))) {
                upstream.answers(_ -> answer);
                int before = upstream.asked();
                get(gateway, "/a", "");
                get(gateway, "/a", "");

                assertThat(upstream.asked() - before).isEqualTo(2);
            }
        }
    }

    @Test
    void a_change_is_seen_by_the_next_request() throws IOException {
        try (Gateway gateway = gateway("")) {
            get(gateway, "/a", "");
            send(gateway, "DELETE /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

            assertThat(get(gateway, "/a", "")).endsWith("answer 3");
        }
    }

    @Test
    void a_change_that_names_a_place_as_clients_know_it_has_that_forgotten() throws IOException {
        CachedGateway.define(data, "orders", """
                {"id": "orders", "match": {"path": "/shop"}, "stripPath": true, "policies": [{"type": "cache"}],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(upstream.port()));
        try (var gateway = CachedGateway.start(data)) {
            gateway.get("/shop/b");
            upstream.answers(number -> answer(FRESH + "\nLocation: /shop/b", "answer " + number));
            gateway.send("DELETE /shop/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

            assertThat(gateway.get("/shop/b")).endsWith("answer 3");
        }
    }

    @Test
    void a_dead_upstream_is_stood_in_for() throws IOException {
        upstream.answers(number -> answer("Cache-Control: max-age=0\nETag: \"1\"", "answer " + number));
        try (Gateway gateway = gateway(", \"staleIfError\": \"10m\", \"statuses\": [200]")) {
            get(gateway, "/a", "");
            upstream.close();

            assertThat(get(gateway, "/a", ""))
                    .contains("fwd=stale; fwd-status=502")
                    .endsWith("answer 1");
        }
    }

    private Gateway gateway(String fields) {
        try {
            Path folder = Files.createDirectories(data.resolve("apis"));
            Files.writeString(folder.resolve("orders.json"), """
                    {"id": "orders", "match": {"path": "/"}, "policies": [{"type": "cache"%s}],
                     "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(fields, upstream.port()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Gateway.start(Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_LISTEN", "127.0.0.1:0",
                        "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                        "GATEWAY_DATA", data.toString(),
                        "GATEWAY_DRAIN_TIMEOUT", "1s")));
    }

    private static String metrics(Gateway gateway) throws IOException {
        return RawClient.exchange(
                gateway.adminAddress().getPort(),
                "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer "
                        + gateway.adminToken().reveal() + "\r\n\r\n");
    }

    /// The first answer is as old as it may be already.
    private static String aged(int number) {
        return number == 1 ? "\r\nAge: 60" : "";
    }

    private static String get(Gateway gateway, String path, String fields) throws IOException {
        return send(gateway, "GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + fields + "\r\n");
    }

    private static String send(Gateway gateway, String request) throws IOException {
        return RawClient.exchange(gateway.address().getPort(), request);
    }
}
