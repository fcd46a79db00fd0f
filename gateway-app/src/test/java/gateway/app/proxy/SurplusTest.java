package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.wire.http1.RawClient;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers that send more than their answer is, a moment later.
@Timeout(60)
final class SurplusTest {
    private static final String OTHERS = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother";

    @ParameterizedTest
    @CsvSource({
        "HEAD, 200 OK, Content-Length: 43",
        "GET, 304 Not Modified, Content-Length: 43",
        "HEAD, 200 OK, Transfer-Encoding: chunked",
        "GET, 204 No Content, Content-Length: 43",
        "DELETE, 204 No Content, Server: s",
        "GET, 205 Reset Content, Content-Length: 0"
    })
    void what_comes_late_is_nobodys_answer(String method, String status, String announced) throws IOException {
        try (Proxy proxy = Proxy.in(RequestThreadMode.IO).ioThreads(1).start()) {
            RawConnection client = proxy.client().send(method + " / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 " + status + "\r\n" + announced + "\r\n\r\n");
            client.readHead();
            client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection fresh = proxy.upstream().accept();
            fresh.readHead();
            upstream.send(OTHERS);
            fresh.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nmine");

            assertThat(Http.body(client.readAnswer())).isEqualTo("mine");
            assertThat(upstream.readToEnd()).isEmpty();
        }
    }

    @Test
    void a_connection_that_stays_silent_is_used_again_after_a_rest() throws IOException {
        try (Proxy proxy = Proxy.in(RequestThreadMode.IO).ioThreads(1).start()) {
            RawConnection client = proxy.client().send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection first = proxy.upstream().accept();
            first.readHead();
            first.send("HTTP/1.1 200 OK\r\nContent-Length: 43\r\n\r\n");
            client.readHead();
            long rested = System.nanoTime() + 200_000_000;
            until(() -> System.nanoTime() - rested > 0);
            client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(Http.start(first.readHead())).isEqualTo("GET /next HTTP/1.1");
        }
    }

    @Test
    void few_of_them_rest_at_once() throws IOException {
        try (Proxy proxy = Proxy.in(RequestThreadMode.IO).ioThreads(1).start()) {
            List<RawConnection> clients = new ArrayList<>();
            List<RawConnection> servers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                clients.add(proxy.client().send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n"));
                servers.add(proxy.upstream().accept());
            }
            for (RawConnection each : servers) {
                each.readHead();
                each.send("HTTP/1.1 200 OK\r\nContent-Length: 43\r\n\r\n");
            }
            for (RawConnection each : clients) each.readHead();

            until(() -> proxy.dataPlane().upstreamPools().getFirst().open() == 64);
        }
    }

    @Test
    void those_that_most_likely_stay_silent_are_used_at_once_where_many_rest() throws IOException {
        try (Proxy proxy = Proxy.in(RequestThreadMode.IO).ioThreads(1).start()) {
            List<RawConnection> clients = new ArrayList<>();
            List<RawConnection> servers = new ArrayList<>();
            for (int i = 0; i < 65; i++) {
                clients.add(proxy.client().send("DELETE / HTTP/1.1\r\nHost: a\r\n\r\n"));
                servers.add(proxy.upstream().accept());
            }
            for (int i = 0; i < 65; i++) {
                servers.get(i).readHead();
                servers.get(i).send("HTTP/1.1 204 No Content\r\n\r\n");
                clients.get(i).readHead();
            }
            clients.getFirst().send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(Http.start(servers.getLast().readHead())).isEqualTo("GET /next HTTP/1.1");
        }
    }

    /// What has a length may be followed by anything: the first time it cannot be told, but the server is known
    /// then.
    @Test
    void no_connection_to_a_server_that_was_heard_unasked_is_used_again() throws IOException {
        try (Proxy proxy = Proxy.in(RequestThreadMode.IO).ioThreads(1).start()) {
            RawConnection client = proxy.client();
            RawConnection caught = asked(proxy, client);
            caught.send(OTHERS);
            assertThat(caught.readToEnd()).isEmpty();

            RawConnection next = asked(proxy, client);

            assertThat(next.readToEnd()).isEmpty();
        }
    }

    @Test
    void content_behind_an_answer_to_head_makes_a_server_known() throws IOException {
        try (Proxy proxy = Proxy.in(RequestThreadMode.IO).ioThreads(1).start()) {
            RawConnection client = proxy.client().send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection caught = proxy.upstream().accept();
            caught.readHead();
            caught.send("HTTP/1.1 200 OK\r\nContent-Length: 43\r\n\r\n");
            client.readHead();
            caught.send(OTHERS);
            assertThat(caught.readToEnd()).isEmpty();

            RawConnection next = asked(proxy, client);

            assertThat(next.readToEnd()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n"})
    void a_server_that_only_closes_a_connection_is_trusted_on(String farewell) throws IOException {
        try (Proxy proxy = Proxy.in(RequestThreadMode.IO).ioThreads(1).start()) {
            RawConnection client = proxy.client();
            RawConnection closing = asked(proxy, client);
            closing.send(farewell);
            closing.finishSending();
            assertThat(closing.readToEnd()).isEmpty();

            RawConnection next = asked(proxy, client);
            client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(Http.start(next.readHead())).isEqualTo("GET /next HTTP/1.1");
        }
    }

    /// The IO thread has not looked at its sockets since the server spoke, or closed the connection.
    @ParameterizedTest
    @ValueSource(strings = {"", OTHERS})
    void what_was_not_seen_yet_is_seen_before_a_connection_is_used_again(String surplus) throws Exception {
        var busy = new CountDownLatch(1);
        var free = new AtomicBoolean();
        Policy keepsTheThread = exchange -> {
            if (exchange.method().equals("POST")) {
                busy.countDown();
                while (!free.get()) Thread.onSpinWait(); // the IO thread is held, the request's being carried by it
            }
            return Verdict.proceed();
        };
        try (Proxy proxy = Proxy.in(RequestThreadMode.IO)
                .ioThreads(1)
                .policies(keepsTheThread)
                .start()) {
            RawConnection client = proxy.client();
            RawConnection upstream = asked(proxy, client);
            client.send("POST /pay HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi");
            busy.await();
            upstream.send(surplus);
            if (surplus.isEmpty()) upstream.finishSending();
            long said = System.nanoTime();
            until(() -> System.nanoTime() - said > 2_000_000); // it was not in use a moment ago
            free.set(true);
            RawConnection fresh = proxy.upstream().accept();

            assertThat(Http.start(fresh.readHead())).isEqualTo("POST /pay HTTP/1.1");
        }
    }

    /// Of four clients, each request by a connection of its own.
    ///
    /// @param method of each other request, behind whose answer the server sends more
    /// @param unknown requests that may get another answer, those that come before the server is known
    @ParameterizedTest
    @CsvSource({"DELETE, 0", "GET, 96"})
    void a_server_that_sends_more_each_time_reaches_no_client_once_it_is_known(String method, int unknown)
            throws Exception {
        try (Proxy proxy = Proxy.in(RequestThreadMode.IO).ioThreads(2).start()) {
            Thread.ofVirtual().start(() -> sendMore(proxy.upstream()));
            var clients = new ArrayList<Future<List<Integer>>>();
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var next = new AtomicInteger();
                for (int i = 0; i < 4; i++) clients.add(threads.submit(() -> wrong(proxy, method, next)));
            }
            var wrong = new TreeSet<Integer>();
            for (Future<List<Integer>> each : clients) wrong.addAll(each.get());

            assertThat(wrong.tailSet(unknown)).as("%s", wrong).isEmpty();
        }
    }

    /// Which of the requests that were made by one client got another answer than their own.
    private static List<Integer> wrong(Proxy proxy, String method, AtomicInteger next) throws IOException {
        var wrong = new ArrayList<Integer>();
        for (int i = next.getAndIncrement(); i < 192; i = next.getAndIncrement()) {
            String line = (i % 2 == 0 ? method + " /more/" : "GET /") + i + " HTTP/1.1\r\n";
            String answer = RawClient.exchange(
                    proxy.dataPlane().address().getPort(), line + "Host: a\r\nConnection: close\r\n\r\n");
            boolean right =
                    line.startsWith("GET ") ? answer.endsWith("\r\n\r\n" + i) : answer.startsWith("HTTP/1.1 204 ");
            if (!right) wrong.add(i);
        }
        return wrong;
    }

    private static void sendMore(RawUpstream server) {
        try {
            while (true) {
                RawConnection connection = server.accept();
                Thread.ofVirtual().start(() -> sendMore(connection));
            }
        } catch (IOException e) {
            // the test is over
        }
    }

    /// Behind each answer that is asked for it, 3 ms late.
    private static void sendMore(RawConnection connection) {
        try (connection) {
            while (true) {
                String[] line = Http.start(connection.readHead()).split(" ", -1);
                String body = line[1].substring(line[1].lastIndexOf('/') + 1);
                connection.send(
                        line[0].equals("DELETE")
                                ? "HTTP/1.1 204 No Content\r\n\r\n"
                                : "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
                if (!line[1].startsWith("/more/")) continue;
                long answered = System.nanoTime();
                until(() -> System.nanoTime() - answered > 3_000_000);
                connection.send(OTHERS);
            }
        } catch (IOException e) {
            // the gateway has closed it
        }
    }

    /// A connection to the server whose answer to a client of it has come and gone.
    private static RawConnection asked(Proxy proxy, RawConnection client) throws IOException {
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        RawConnection upstream = proxy.upstream().accept();
        upstream.readHead();
        upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
        client.readAnswer();
        return upstream;
    }
}
