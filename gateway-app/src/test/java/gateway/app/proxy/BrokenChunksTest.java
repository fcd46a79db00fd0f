package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.proxy.AccountedPlane.Account;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A request whose head is sound and whose chunks are not: what becomes of it does not depend on how its octets are cut
/// into packets.
@Timeout(60)
final class BrokenChunksTest {
    private static final String HEAD = Http.head(
            "POST / HTTP/1.1",
            "Host: a",
            "X-Request-Id: of-the-record",
            "Content-Type: application/json",
            "Transfer-Encoding: chunked");
    private static final String OTHER = Http.head("OPTIONS * HTTP/1.1", "Host: a"); // the gateway answers by itself
    private static final String PLAIN = "\"name\": \"Orders\"";
    private static final String HOLDS = "\"policies\": [{\"type\": \"json-schema\", \"schema\": {}}]";
    private static final String REFUSES = "\"policies\": [{\"type\": \"ip-filter\", \"deny\": [\"127.0.0.1\"]}]";

    static Stream<Arguments> faults() {
        Account told = Account.of(400, "client-malformed");
        return Stream.of(
                Arguments.of("zz\r\n", PLAIN, told),
                Arguments.of("5\r\nhello\r\nzz\r\n", PLAIN, told),
                Arguments.of("5\r\nhello!\r\n0\r\n\r\n", PLAIN, told),
                Arguments.of("5\r\nhello\r\n0\r\nHost: b\r\n\r\n", PLAIN, told),
                Arguments.of("5\r\nhello!\r\n0\r\n\r\n", HOLDS, told),
                Arguments.of("5\r\nhello!\r\n0\r\n\r\n", REFUSES, Account.of(403, "complete")));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void is_answered_recorded_and_counted_the_same_wherever_it_is_cut(String content, String more, Account account)
            throws IOException {
        String sent = HEAD + content;
        int requests = sent.length();
        try (var plane = new AccountedPlane(BrokenChunksTest::believing, more);
                var other = plane.plain()) {
            Thread.startVirtualThread(() -> takeAll(plane.upstream));
            for (int cut = 0; cut < sent.length(); cut++) {
                assertThat(answer(plane, other, sent, cut))
                        .as("cut at %s", cut)
                        .startsWith("HTTP/1.1 " + account.status() + " ")
                        .contains("\r\nX-Request-Id: of-the-record\r\n")
                        .containsOnlyOnce("HTTP/1.1 ");
            }

            plane.awaitEnded(2 * requests);
            boolean whole = account.outcome().equals("complete");
            assertThat(plane.meters())
                    .isEqualTo(
                            whole
                                    ? Map.of("2xx", requests, "4xx", requests)
                                    : Map.of("2xx", requests, "4xx", requests, "client-malformed", requests));
            assertThat(plane.dataPlane().malformedRequests()).isEqualTo(whole ? 0 : requests);
            assertThat(plane.accounts())
                    .filteredOn(each -> each.status() != 200)
                    .isEqualTo(Collections.nCopies(requests, account));
        }
    }

    private static DataPlaneSettings believing(DataPlaneSettings settings) {
        return settings.withTrustedProxies(HostileGateway.ranges("[\"127.0.0.1\"]"));
    }

    /// What comes on the other connection is read behind what came on the first one: there is one IO thread.
    private static String answer(AccountedPlane plane, RawConnection other, String sent, int cut) throws IOException {
        try (var client = plane.plain()) {
            if (cut > 0) client.send(sent.substring(0, cut));
            other.send(OTHER).readAnswer();
            return client.send(sent.substring(cut)).readToEnd();
        }
    }

    private static void takeAll(RawUpstream upstream) {
        try {
            while (true) upstream.accept();
        } catch (IOException e) {
            // the test is over
        }
    }
}
