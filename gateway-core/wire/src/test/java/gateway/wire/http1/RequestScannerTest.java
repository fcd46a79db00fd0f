package gateway.wire.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestScannerTest {
    private static final String GOOD = "GET /good?a=b HTTP/1.1\r\nHost: a.example\r\n\r\n";
    private static final String HEAD = "POST / HTTP/1.1\r\nHost: a.example\r\n";

    static List<Attack> attacks() {
        return Attack.all();
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void nothing_passes_of_an_attack_that_arrives_whole_but_a_sound_head(Attack attack) {
        var connection = new Shown();

        connection.send(attack.bytes());

        assertThat(connection.scanner.refusal()).isEqualTo(attack.refusal());
        assertThat(connection.passed).hasToString(attack.soundHead());
        assertThat(connection.scanner.refusedInContent()).isEqualTo(attack.inContent());
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void an_attack_is_refused_after_a_good_request_in_the_same_piece(Attack attack) {
        var connection = new Shown();

        connection.send(GOOD + attack.bytes());

        assertThat(connection.scanner.refusal()).isEqualTo(attack.refusal());
        assertThat(connection.passed).hasToString(GOOD + attack.soundHead());
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void an_attack_is_refused_octet_by_octet(Attack attack) {
        var connection = new Shown();

        for (int i = 0; i < attack.bytes().length(); i++) {
            connection.send(attack.bytes().substring(i, i + 1));
        }

        assertThat(connection.scanner.refusal()).isEqualTo(attack.refusal());
        assertThat(connection.scanner.refusedInContent()).isEqualTo(attack.inContent());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.0\r\n\r\n",
                "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET http://A.example:80/x HTTP/1.1\r\nHost: a.EXAMPLE:80\r\n\r\n",
                "GET https://[::1]:8443?x HTTP/1.1\r\nhost:[::1]:8443\t \r\n\r\n",
                "GET /a{b}|\"c HTTP/1.1\r\nHost: a_b.example.\r\n\r\n",
                "M-SEARCH / HTTP/1.1\r\nHost: 10.0.0.1:65535\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nX:\r\nY: \t\r\nZ: \u00e9\tx\r\n!#$%&'*+-.^_`|~: 1\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n\0\r\n\n\r",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 005\r\n\r\nhello",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked \r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n\r\r\n\n0\r\n00A;a=b;c;d=\"e\\\"f\"\r\n0123456789\r\n000\r\nX: y\r\n\r\n",
            })
    void good_requests_pass_in_any_pieces_one_after_another(String request) {
        for (int cut = 0; cut <= request.length(); cut++) {
            var connection = new Shown();

            connection
                    .send(request.substring(0, cut))
                    .send(request.substring(cut) + GOOD + request)
                    .send(GOOD);

            assertThat(connection.scanner.refusal()).isNull();
            assertThat(connection.passed).hasToString(request + GOOD + request + GOOD);
            assertThat(connection.rest).isEmpty();
        }
    }

    @Test
    void a_head_just_within_the_limits_passes_and_one_octet_more_does_not() {
        String line = "GET /" + "a".repeat(16 * 1024 - 16) + " HTTP/1.1\r\n";
        String lines = "Host: a.example\r\n" + "Y: z\r\n".repeat(98);
        int left = 32 * 1024 - line.length() - lines.length() - "X: \r\n\r\n".length();
        String fill = "b".repeat(left);

        assertThat(refusal(line + lines + "X: " + fill + "\r\n\r\n")).isNull();
        assertThat(refusal(line + lines + "X: " + fill + "b\r\n\r\n")).isEqualTo(Refusal.HEAD_TOO_LARGE);
        assertThat(refusal(line + lines + "X: \r\nX: \r\n\r\n")).isEqualTo(Refusal.TOO_MANY_HEADERS);
        assertThat(refusal("GET /a" + line.substring(5) + lines + "\r\n")).isEqualTo(Refusal.REQUEST_LINE_TOO_LONG);
    }

    @Test
    void content_is_passed_over_by_count() {
        var connection = new Shown().send(HEAD + "Content-Length: 100000000000\r\n\r\n");
        int head = connection.passed.length();

        String piece = "\0\r\n".repeat(5000);
        for (int i = 0; i < 10; i++) connection.send(piece);

        assertThat(connection.scanner.refusal()).isNull();
        assertThat(connection.passed).hasSize(head + 10 * piece.length());
    }

    @Test
    void a_fault_in_content_after_its_head_has_passed_keeps_what_came_before_it_from_nobody() {
        var connection = new Shown().send(HEAD + "Transfer-Encoding: chunked\r\n\r\n");

        connection.send("5\r\nhello\r\n");
        int before = connection.passed.length();
        connection.send("5x\r\n");

        assertThat(connection.passed).hasSize(before);
        assertThat(connection.scanner.refusal()).isEqualTo(Refusal.CHUNK_SIZE);
        assertThat(connection.scanner.refusedInContent()).isTrue();
    }

    @Test
    void the_end_of_content_passes_though_the_next_head_is_refused() {
        var connection = new Shown().send(HEAD + "Content-Length: 5\r\n\r\nhe");

        connection.send("lloGET / HTTP/3.0\r\n\r\n");

        assertThat(connection.passed.toString()).endsWith("\r\n\r\nhello");
        assertThat(connection.scanner.refusal()).isEqualTo(Refusal.VERSION);
        assertThat(connection.scanner.refusedInContent()).isFalse();
    }

    @Test
    void a_head_and_trailers_wait_for_their_last_octet() {
        String head = HEAD + "Transfer-Encoding: chunked\r\n\r\n";
        String trailers = "0\r\nX: y\r\n\r\n";
        var connection = new Shown();

        connection.send(head.substring(0, head.length() - 1));
        assertThat(connection.passed).isEmpty();
        connection.send("\n5\r\nhello\r\n" + trailers.substring(0, trailers.length() - 1));
        assertThat(connection.passed).hasToString(head + "5\r\nhello\r\n");
        connection.send("\n");

        assertThat(connection.passed).hasToString(head + "5\r\nhello\r\n" + trailers);
        assertThat(connection.scanner.fieldBytes()).isEqualTo(head.length() + "X: y\r\n\r\n".length());
        assertThat(connection.scanner.fieldLines()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "*", "/a?b", "http://a.example", "https://a.example/x?y"})
    void the_target_of_a_head_is_where_it_is(String target) {
        String head = "OPTIONS " + target + " HTTP/1.1\r\nHost: a.example\r\n\r\n";
        for (int cut = 0; cut < head.length(); cut++) {
            var connection = new Shown().send("\r\n" + head.substring(0, cut)).send(head.substring(cut) + GOOD);

            assertThat(connection.targets).containsExactly(target, "/good?a=b");
        }
    }

    @Property(tries = 3_000)
    void how_the_bytes_are_cut_changes_nothing(
            @ForAll("streams") String bytes, @ForAll @Size(max = 6) List<@IntRange(min = 0, max = 400) Integer> cuts) {
        var whole = new Shown().send(bytes);

        var pieces = new Shown();
        int from = 0;
        for (int cut : cuts.stream().sorted().toList()) {
            int to = Math.max(from, Math.min(cut, bytes.length()));
            pieces.send(bytes.substring(from, to));
            from = to;
        }
        pieces.send(bytes.substring(from));

        assertThat(pieces.scanner.refusal()).isEqualTo(whole.scanner.refusal());
        assertThat(pieces.targets).isEqualTo(whole.targets);
        if (whole.scanner.refusal() != null) {
            assertThat(pieces.scanner.refusedInContent()).isEqualTo(whole.scanner.refusedInContent());
            return;
        }
        assertThat(pieces.passed).hasToString(whole.passed.toString());
        assertThat(pieces.scanner.atMessageStart()).isEqualTo(whole.scanner.atMessageStart());
    }

    @Property(tries = 2_000)
    void control_octets_are_found_where_they_are(
            @ForAll @Size(max = 40) byte[] octets, @ForAll @IntRange(max = 9) int from) {
        int start = Math.min(from, octets.length);
        int expected = start;
        while (expected < octets.length && !isControl(octets[expected])) expected++;

        assertThat(Octets.firstControl(ByteBuffer.wrap(octets), start, octets.length))
                .isEqualTo(expected);
        var direct = ByteBuffer.allocateDirect(octets.length)
                .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                .put(octets);
        assertThat(Octets.firstControl(direct, start, octets.length)).isEqualTo(expected);
    }

    @Provide
    Arbitrary<String> streams() {
        var attacks = Arbitraries.of(Attack.all().stream()
                .map(Attack::bytes)
                .filter(b -> b.length() < 500)
                .toList());
        var good = Arbitraries.of(
                GOOD,
                HEAD + "Content-Length: 3\r\n\r\nabc",
                HEAD + "Transfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n0\r\nT: u\r\n\r\n");
        return Arbitraries.frequencyOf(net.jqwik.api.Tuple.of(4, good), net.jqwik.api.Tuple.of(1, attacks))
                .list()
                .ofMinSize(1)
                .ofMaxSize(4)
                .map(all -> String.join("", all));
    }

    private static boolean isControl(byte octet) {
        int value = octet & 0xff;
        return (value < 0x20 && value != '\t') || value == 0x7f;
    }

    private static Refusal refusal(String bytes) {
        return new Shown().send(bytes).scanner.refusal();
    }

    /// A connection, of which a scanner is shown what has come and not yet gone on.
    private static final class Shown {
        final RequestScanner scanner = new RequestScanner(WireLimits.DEFAULT);
        final StringBuilder passed = new StringBuilder();
        final List<String> targets = new ArrayList<>();
        String rest = "";

        Shown send(String piece) {
            rest += piece;
            while (!rest.isEmpty() && scanner.refusal() == null) {
                if (show() == 0 && !scanner.isOver()) break;
            }
            return this;
        }

        private int show() {
            var octets =
                    ByteBuffer.allocate(rest.length() + 13).put(new byte[5]).put(rest.getBytes(ISO_8859_1));
            int begin = scanner.afterEmptyLine(octets, 5, 5 + rest.length());
            int end = scanner.scan(octets, begin, 5 + rest.length());
            String part = rest.substring(begin - 5, end - 5);
            if (scanner.headEnd() >= 0) targets.add(part.substring(scanner.targetFrom(), scanner.targetTo()));
            passed.append(part);
            rest = rest.substring(end - 5);
            return end - begin;
        }
    }
}
