package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.CanonicalPath;
import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/// Request targets of any form on raw sockets: what goes to the upstream is what came, octet by octet.
final class HostileTargetsTest {
    private static final List<String> OF_PATHS = List.of(
            "a",
            "b.c",
            "/",
            "//",
            ".",
            "..",
            "/../",
            "/./",
            ";",
            ";x=1",
            "%41",
            "%2f",
            "%5C",
            "%00",
            "%",
            "%c3%a9",
            "%ff",
            "~",
            "-",
            "_",
            "!",
            "$",
            "&",
            "'",
            "(",
            ")",
            "*",
            "+",
            ",",
            "=",
            ":",
            "@",
            "aaaaaaaaaaaaaaaaaaaa");
    private static final List<String> OF_QUERIES = List.of(
            "a",
            "=",
            "&",
            "&&",
            ";",
            "?",
            "/",
            "//",
            "..",
            "%41",
            "%",
            "%2",
            "%zz",
            "+",
            "a=b",
            "a&b",
            ":",
            "@",
            "'",
            "(",
            "[",
            "]",
            "{",
            "}",
            "|",
            "^",
            "`",
            "http://x.example/?");

    private static HostileGateway gateway;

    @BeforeContainer
    static void start() throws IOException {
        gateway = HostileGateway.start();
    }

    @AfterContainer
    static void stop() throws IOException {
        gateway.close();
    }

    @Property(tries = 1_000)
    void what_goes_to_the_upstream_is_what_came(
            @ForAll("paths") String rest, @ForAll("queries") String query, @ForAll boolean absolute)
            throws IOException {
        gateway.upstream.forget();
        String path = "/t" + rest;
        String target = query.isEmpty() ? path : path + "?" + query;
        String sent = absolute ? "http://a.example" + target : target;

        String answer = RawClient.exchange(
                gateway.port(), "GET " + sent + " HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n");

        assertThat(gateway.upstream.faults).isEmpty();
        boolean sound =
                CanonicalPath.of(path) instanceof CanonicalPath.Canonical canonical && !canonical.encodedSeparators();
        if (sound && answer.startsWith("HTTP/1.1 200 ")) {
            assertThat(gateway.upstream.requests)
                    .singleElement()
                    .extracting(RecordingUpstream.Received::requestLine)
                    .isEqualTo("GET " + target + " HTTP/1.1");
        } else {
            assertThat(answer).startsWith("HTTP/1.1 400 ");
            assertThat(gateway.upstream.requests).isEmpty();
            if (sound) assertThat(query).as(answer).containsPattern("[\\[\\]{}|^`]|%(?![0-9A-Fa-f]{2})");
        }
    }

    @Provide
    Arbitrary<String> paths() {
        return texts(OF_PATHS);
    }

    @Provide
    Arbitrary<String> queries() {
        return texts(OF_QUERIES);
    }

    private static Arbitrary<String> texts(List<String> pieces) {
        return Arbitraries.of(pieces).list().ofMaxSize(8).map(each -> String.join("", each));
    }
}
