package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/// Valid requests, damaged at random, with a sound one behind them on the same connection.
final class HostileFuzzTest {
    private static final String MARKER = "GET /marker HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n";
    private static final Pattern SERVED = Pattern.compile("\r\n\r\nserved "); // by the upstream: * is the gateway's
    private static final Pattern ANSWER = Pattern.compile("HTTP/1\\.[01] (\\d{3}) ");
    private static final List<String> REQUESTS = List.of(
            "GET /a?b=c HTTP/1.1\r\nHost: a.example\r\nAccept: */*\r\n\r\n",
            "POST /a HTTP/1.1\r\nHost: a.example\r\nContent-Length: 11\r\nX-Y: z\r\n\r\nhello world",
            "POST /a HTTP/1.1\r\nHost: a.example\r\nTransfer-Encoding: chunked\r\n\r\n5;x=\"y\"\r\nhello\r\n6\r\n world\r\n0\r\nT: u\r\n\r\n",
            "PUT http://a.example/a HTTP/1.1\r\nHost: a.example\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc",
            "OPTIONS * HTTP/1.1\r\nHost: a.example\r\n\r\n",
            "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    private static final List<String> PIECES = List.of(
            "\r\n",
            "\n",
            "\r",
            "\0",
            " ",
            "\t",
            ":",
            ";",
            ",",
            "0",
            "1",
            "5",
            "a",
            "F",
            "\u00e9",
            "\u007f",
            "/",
            "..",
            "%2f",
            "%",
            "Content-Length: 5\r\n",
            "Content-Length: 0\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Host: b\r\n",
            "\r\n\r\n",
            "Connection: close\r\n",
            "Upgrade: h2c\r\n",
            "Expect: x\r\n",
            "HTTP/1.1",
            "chunked",
            "-1",
            "0x");

    private static HostileGateway gateway;

    /// One change: so many characters at a place give way to a piece.
    record Damage(int place, int removed, String piece) {
        String to(String text) {
            int from = place % (text.length() + 1);
            int to = Math.min(text.length(), from + removed);
            return text.substring(0, from) + piece + text.substring(to);
        }
    }

    @BeforeContainer
    static void start() throws IOException {
        gateway = HostileGateway.start();
    }

    @AfterContainer
    static void stop() throws IOException {
        gateway.close();
    }

    @Property(tries = 300)
    void damage_is_never_the_servers_fault_and_never_lets_client_and_upstream_count_differently(
            @ForAll("requests") String request, @ForAll("damages") List<Damage> damages) throws IOException {
        gateway.upstream.forget();
        String damaged = request;
        for (Damage damage : damages) damaged = damage.to(damaged);

        String answers;
        try (var client = new RawClient(gateway.port())) {
            answers = client.send(damaged + MARKER).readUntilQuiet(1_500);
        }

        var statuses = ANSWER.matcher(answers)
                .results()
                .map(found -> Integer.parseInt(found.group(1)))
                .toList();
        assertThat(statuses).allMatch(status -> status < 500 || status == 505);
        assertThat(gateway.upstream.faults).isEmpty();
        assertThat(gateway.upstream.requests)
                .hasSize((int) SERVED.matcher(answers).results().count());
        assertThat(gateway.dataPlane().failedRequests()).isZero();
    }

    @Provide
    Arbitrary<String> requests() {
        return Arbitraries.of(REQUESTS);
    }

    @Provide
    Arbitrary<List<Damage>> damages() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 200),
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.of(PIECES))
                .as(Damage::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(3);
    }
}
