package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.proxy.AccountedPlane.Account;
import gateway.wire.memory.Kind;
import gateway.wire.memory.MemoryBudget;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Clients that leave while their answer is awaited, and have sent more behind their request: the end of the connection
/// comes behind that.
@Timeout(60)
final class ClientGoneTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc";
    private static final String CHUNKS =
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    private static final String LINE = "\r\n";

    private enum Leaving {
        CLOSE,
        RESET,
        CLOSE_OVER_TLS
    }

    private final MemoryBudget memory = MemoryBudget.ofThisProcess();
    private final AccountedPlane plane;

    ClientGoneTest() throws IOException {
        plane = new AccountedPlane(
                settings -> settings.withMemory(memory).withMaxInFlight(1).withWaiting(WaitingLimits.NONE));
    }

    @AfterEach
    void stop() throws IOException {
        plane.close();
    }

    private RawConnection client(Leaving how) throws IOException {
        return how == Leaving.CLOSE_OVER_TLS ? plane.secure() : plane.plain();
    }

    private static void leave(RawConnection client, Leaving how) throws IOException {
        if (how == Leaving.RESET) client.reset();
        else client.close();
    }

    private void assertGone(RawConnection upstream) throws IOException {
        assertThat(upstream.isClosedByPeer()).isTrue();
        plane.awaitEnded(1);
        until(() -> plane.dataPlane().requestsInFlight() == 0);
        assertThat(plane.meters()).isEqualTo(Map.of("4xx", 1, "client-gone", 1));
        assertThat(plane.accounts()).containsExactly(Account.of(499, "client-gone"));
    }

    static Stream<Arguments> requests() {
        return Stream.of(Leaving.values())
                .flatMap(how -> Stream.of(GET, POST, CHUNKS)
                        .flatMap(request -> Stream.of(LINE, GET).map(behind -> Arguments.of(how, request, behind))));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void bytes_that_come_with_a_request_do_not_hide_that_its_client_left(Leaving how, String request, String behind)
            throws IOException {
        RawConnection client = client(how).send(request + behind);
        RawConnection upstream = plane.upstream.accept();
        upstream.readHead();
        leave(client, how);

        assertGone(upstream);
    }

    @ParameterizedTest
    @MethodSource("requests")
    void nor_do_bytes_that_come_later(Leaving how, String request, String behind) throws IOException {
        RawConnection client = client(how).send(request);
        RawConnection upstream = plane.upstream.accept();
        upstream.readHead();
        client.send(behind);
        leave(client, how);

        assertGone(upstream);
    }

    @ParameterizedTest
    @EnumSource
    void nor_does_more_than_is_read_at_once(Leaving how) throws IOException {
        RawConnection client = client(how).send(GET);
        RawConnection upstream = plane.upstream.accept();
        upstream.readHead();
        client.send(GET.repeat(1000));
        leave(client, how);

        assertGone(upstream);
    }

    @Test
    void requests_beyond_what_may_wait_are_left_unread_until_their_turn() throws IOException {
        int count = 3000;
        String padded = GET.replace("Host", "X: " + "x".repeat(80) + "\r\nHost");
        RawConnection client = plane.plain().send(GET);
        RawConnection upstream = plane.upstream.accept();
        upstream.readHead();
        client.send(padded.repeat(count));
        for (int i = 0; i <= count; i++) {
            if (i > 0) upstream.readHead();
            assertThat(memory.of(Kind.HEADS).taken()).isLessThan(128 * 1024);
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n" + (1000 + i));

            assertThat(client.readAnswer()).endsWith(Integer.toString(1000 + i));
        }
    }
}
