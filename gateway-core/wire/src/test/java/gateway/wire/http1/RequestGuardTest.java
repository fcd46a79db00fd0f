package gateway.wire.http1;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/// What comes of targets on their way past the parser, however they arrive.
final class RequestGuardTest {
    private static StrictServer server;

    @BeforeContainer
    static void start() throws IOException {
        server = StrictServer.start();
    }

    @AfterContainer
    static void stop() throws IOException {
        server.close();
    }

    record Sent(String method, String prefix, String target, String content) {
        String bytes() {
            return method + " " + prefix + target + " HTTP/1.1\r\nHost: a.example\r\n" + content;
        }

        String served() {
            String body = content.equals("\r\n") ? "" : "hello";
            String path = target.isEmpty() || target.startsWith("?") ? "/" + target : target;
            return method + " " + path + " " + body;
        }
    }

    @Property(tries = 400)
    void targets_are_told_as_sent_and_the_parser_sees_none(@ForAll("pipelines") List<Sent> requests, @ForAll long seed)
            throws IOException {
        server.served.clear();
        server.parsed.clear();
        var random = new Random(seed);
        var bytes = new StringBuilder();
        for (Sent each : requests)
            bytes.append(random.nextInt(8) == 0 ? "\r\n" : "").append(each.bytes());

        try (var client = new RawClient(server.port())) {
            for (String piece : pieces(bytes.toString(), random)) client.send(piece);
            for (Sent each : requests)
                client.readUntil(
                        "served " + each.served().substring(each.method().length() + 1));
        }

        assertThat(server.served).isEqualTo(requests.stream().map(Sent::served).toList());
        assertThat(server.parsed).hasSize(requests.size()).containsOnly("/");
    }

    private static List<String> pieces(String bytes, Random random) {
        var pieces = new ArrayList<String>();
        int most = 1 + random.nextInt(random.nextBoolean() ? 3 : bytes.length());
        for (int from = 0, to; from < bytes.length(); from = to) {
            to = Math.min(bytes.length(), from + 1 + random.nextInt(most));
            pieces.add(bytes.substring(from, to));
        }
        return pieces;
    }

    @Provide
    Arbitrary<List<Sent>> pipelines() {
        Arbitrary<String> paths = Arbitraries.strings()
                .withChars("ab/;=&%.~!$'()*+,:@\"<>\\^`{|}")
                .ofMaxLength(30)
                .map(text -> "/" + text);
        Arbitrary<String> queries = Arbitraries.oneOf(
                Arbitraries.just(""),
                Arbitraries.strings()
                        .withChars("ab/;=&%.?!+:@\"[]{}")
                        .ofMaxLength(40)
                        .map(text -> "?a" + text),
                Arbitraries.strings().withChars("a&;").ofLength(6_000).map(text -> "?a" + text));
        Arbitrary<String> contents = Arbitraries.of(
                "\r\n",
                "Content-Length: 5\r\n\r\nhello",
                "Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\nT: u\r\n\r\n");
        Arbitrary<String> targets = Combinators.combine(paths, queries).as((path, query) -> path + query);
        Arbitrary<Sent> origin = Combinators.combine(targets, contents).as((to, end) -> new Sent("POST", "", to, end));
        Arbitrary<Sent> absolute = Combinators.combine(
                        Arbitraries.of("http://a.example", "HTTPS://A.example"),
                        Arbitraries.oneOf(targets, queries),
                        contents)
                .as((prefix, to, end) -> new Sent("PUT", prefix, to, end));
        Arbitrary<Sent> asterisk = Arbitraries.just(new Sent("OPTIONS", "", "*", "\r\n"));
        return Arbitraries.oneOf(origin, absolute, asterisk).list().ofMinSize(1).ofMaxSize(6);
    }
}
