package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.AdminClient;
import gateway.app.Gateway;
import gateway.app.Settings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A whole gateway that lets each address have two requests at once: slots come back however a request ends.
@Timeout(90)
final class ConcurrencyGatewayTest {
    private static final String GET = "GET /orders HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String AT_ONCE = "GET /orders/at-once HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String DONE = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok";

    @TempDir
    private Path data;

    private final List<RawConnection> clients = new ArrayList<>();
    private final BlockingQueue<RawConnection> held = new LinkedBlockingQueue<>(); // of the upstream
    private RawUpstream upstream;
    private Gateway gateway;
    private AdminClient admin;

    @BeforeEach
    void start() throws Exception {
        upstream = new RawUpstream();
        Thread.ofVirtual().start(this::accept);
        gateway = Gateway.start(Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_LISTEN", "127.0.0.1:0",
                        "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                        "GATEWAY_HTTP2", "all",
                        "GATEWAY_DRAIN_TIMEOUT", "1s",
                        "GATEWAY_DATA", data.toString())));
        admin = AdminClient.of(
                URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort()),
                gateway.adminToken().reveal());
        define("");
    }

    private void accept() {
        try {
            while (true) {
                RawConnection connection = upstream.accept();
                Thread.ofVirtual().start(() -> serve(connection));
            }
        } catch (IOException e) {
            // the test is over
        }
    }

    /// Answers what is to be answered at once and holds everything else.
    private void serve(RawConnection connection) {
        try {
            if (connection.readHead().contains("/at-once")) connection.send(DONE);
            else held.add(connection);
        } catch (IOException e) {
            // the gateway did without it
        }
    }

    private void define(String more) throws Exception {
        admin.call("PUT", "/apis/orders", """
                {"match": {"path": "/orders"}, "upstream": {"targets": [{"url": "%s"}]},
                 "policies": [{"type": "concurrency-limit", "requests": 2, "by": "ip"%s}]}""".formatted(upstream.url(), more));
    }

    @AfterEach
    void stop() throws IOException {
        for (RawConnection client : clients) client.close();
        admin.close();
        gateway.close();
        upstream.close();
    }

    @Test
    void the_third_at_once_is_refused_until_one_is_answered() throws Exception {
        RawConnection first = asking();
        RawConnection served = taken();
        asking();
        taken();

        assertThat(asking().readAnswer()).startsWith("HTTP/1.1 429 ").contains("too-many-at-once", "Retry-After: 1");
        served.send(DONE);
        assertThat(first.readAnswer()).startsWith("HTTP/1.1 200 ");

        assertRoomForOne();
    }

    @Test
    void a_client_that_leaves_gives_its_slot_back() throws Exception {
        RawConnection first = asking();
        taken();
        asking();
        taken();

        first.reset();

        assertRoomForOne();
    }

    @Test
    void an_upstream_that_fails_gives_the_slot_back() throws Exception {
        RawConnection first = asking();
        RawConnection served = taken();
        asking();
        taken();
        served.send("HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        assertThat(first.readAnswer()).startsWith("HTTP/1.1 500 ");
        assertRoomForOne();
    }

    @Test
    void an_upstream_that_breaks_off_in_its_answer_gives_the_slot_back() throws Exception {
        asking();
        RawConnection served = taken();
        asking();
        taken();

        served.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
        served.close();

        assertRoomForOne();
    }

    @Test
    void an_open_socket_keeps_its_slot_until_it_ends() throws Exception {
        RawConnection socket = asking(lines(
                "GET /orders HTTP/1.1",
                "Host: a",
                "Connection: Upgrade",
                "Upgrade: websocket",
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="));
        taken().send(lines(
                "HTTP/1.1 101 Switching Protocols",
                "Upgrade: websocket",
                "Connection: Upgrade",
                "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
        assertThat(socket.readHead()).startsWith("HTTP/1.1 101 ");
        asking();
        taken();
        assertThat(asking().readAnswer()).startsWith("HTTP/1.1 429 ");

        socket.close();

        assertRoomForOne();
    }

    @Test
    void streams_that_a_client_resets_give_their_slots_back() throws Exception {
        RawConnection connection = RawConnection.to(gateway.address());
        clients.add(connection);
        Http2Wire client = new Http2Wire(connection).begin();
        for (int stream = 1; stream <= 3; stream += 2) {
            client.get(stream, "/orders");
            taken();
        }
        assertThat(asking().readAnswer()).startsWith("HTTP/1.1 429 ");

        for (int stream = 1; stream <= 3; stream += 2) {
            client.frame(Http2Wire.RST_STREAM, 0, stream, Http2Wire.number(Http2Wire.CANCEL));
        }

        for (int i = 0; i < 2; i++) {
            until(() -> {
                asking();
                return held.poll(100, TimeUnit.MILLISECONDS) != null;
            });
        }
        assertThat(asking().readAnswer()).startsWith("HTTP/1.1 429 ");
    }

    @Test
    void one_more_waits_for_its_turn_where_the_definition_lets_it() throws Exception {
        define(", \"wait\": \"10s\"");
        asking();
        RawConnection served = taken();
        asking();
        taken();
        RawConnection third = asking();
        assertThat(held).isEmpty();

        served.send(DONE);
        taken().send(DONE);

        assertThat(third.readAnswer()).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void a_client_that_leaves_while_it_waits_takes_no_slot_with_it() throws Exception {
        define(", \"wait\": \"200ms\"");
        RawConnection first = asking();
        RawConnection served = taken();
        asking();
        taken();
        asking().reset();
        assertThat(asking().readAnswer()).startsWith("HTTP/1.1 429 ");

        served.send(DONE);
        assertThat(first.readAnswer()).startsWith("HTTP/1.1 200 ");

        assertRoomForOne();
    }

    /// Slots are given back on IO threads while the requests that they carry take some.
    @Test
    void many_clients_that_wait_for_each_other_are_all_answered() throws Exception {
        define(", \"wait\": \"20ms\"");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> told = new ArrayList<>();
            for (int i = 0; i < 40; i++) told.add(threads.submit(this::isAnsweredAgainAndAgain));
            for (Future<Boolean> each : told) assertThat(each.get()).isTrue();
        }

        asking();
        taken();
        assertRoomForOne();
    }

    private boolean isAnsweredAgainAndAgain() throws IOException {
        try (RawConnection client = RawConnection.to(gateway.address())) {
            for (int i = 0; i < 50; i++) {
                if (!client.send(AT_ONCE).readAnswer().matches("(?s)HTTP/1.1 (200|429) .*")) return false;
            }
            return true;
        }
    }

    /// One of the two slots is or becomes free, and no more.
    private void assertRoomForOne() throws Exception {
        until(() -> asking(AT_ONCE).readAnswer().startsWith("HTTP/1.1 200 "));
        until(() -> {
            asking();
            return held.poll(100, TimeUnit.MILLISECONDS) != null;
        });
        assertThat(asking().readAnswer()).startsWith("HTTP/1.1 429 ");
    }

    private RawConnection asking() throws IOException {
        return asking(GET);
    }

    private RawConnection asking(String request) throws IOException {
        RawConnection client = RawConnection.to(gateway.address());
        clients.add(client);
        return client.send(request);
    }

    /// The upstream's end of a request that came through.
    private RawConnection taken() throws InterruptedException {
        RawConnection taken = held.poll(30, TimeUnit.SECONDS);
        if (taken == null) throw new AssertionError("no request came through");
        return taken;
    }

    private static String lines(String... lines) {
        return String.join("\r\n", lines) + "\r\n\r\n";
    }
}
