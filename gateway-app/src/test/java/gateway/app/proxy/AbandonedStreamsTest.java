package gateway.app.proxy;

import static gateway.Eventually.until;
import static gateway.app.proxy.Http2Wire.CANCEL;
import static gateway.app.proxy.Http2Wire.HEADERS;
import static gateway.app.proxy.Http2Wire.RST_STREAM;
import static gateway.app.proxy.Http2Wire.number;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A client that takes back what it has asked, while newcomers have all places that newcomers may have.
@Timeout(60)
final class AbandonedStreamsTest {
    private static final int PLACES = 4;
    private static final int NEWCOMERS = 3;

    private final List<RawConnection> newcomers = new ArrayList<>();
    private final List<RawConnection> calls = new ArrayList<>(); // of the newcomers
    private Http2Gateway gateway;
    private Http2Wire client;

    @BeforeEach
    void serve_one_and_hold_the_places_of_the_others() throws IOException {
        gateway = Http2Gateway.with(plane ->
                plane.withMaxInFlight(PLACES).withWaiting(new WaitingLimits(NEWCOMERS, Duration.ofSeconds(30))));
        client = new Http2Wire(
                        RawConnection.from("127.0.0.2", gateway.dataPlane().address()))
                .begin();
        client.get(1, "/first");
        answer(called("/first"));
        assertThat(client.answer(1).status()).isEqualTo("200");
        for (int i = 0; i < NEWCOMERS; i++) {
            newcomers.add(RawConnection.to(gateway.dataPlane().address())
                    .send("GET /held HTTP/1.1\r\nHost: a.example\r\n\r\n"));
            calls.add(called("/held"));
        }
    }

    @AfterEach
    void end() throws IOException {
        for (RawConnection each : newcomers) each.close();
        client.close();
        gateway.close();
    }

    @Test
    void who_resets_a_stream_before_its_answer_is_a_newcomer_until_the_next_one() throws IOException {
        client.get(3, "/taken-back");
        called("/taken-back");
        client.frame(RST_STREAM, 0, 3, number(CANCEL));
        client.get(5, "/as-newcomer");
        until(() -> gateway.dataPlane().requestsWaiting() == 1);

        answer(calls.getFirst());
        assertThat(newcomers.getFirst().readAnswer()).startsWith("HTTP/1.1 200 ");
        answer(called("/as-newcomer"));
        assertThat(client.answer(5).status()).isEqualTo("200");
        newcomers.add(RawConnection.from("127.0.0.3", gateway.dataPlane().address())
                .send("GET /held HTTP/1.1\r\nHost: a.example\r\n\r\n"));
        called("/held");
        client.get(7, "/served-again");
        answer(called("/served-again"));
        assertThat(client.answer(7).status()).isEqualTo("200");
    }

    @Test
    void who_resets_a_stream_whose_answer_has_begun_is_none() throws IOException {
        client.get(3, "/events");
        called("/events").send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n");
        assertThat(client.fields(client.next(HEADERS))).containsEntry(":status", "200");
        client.frame(RST_STREAM, 0, 3, number(CANCEL));
        client.get(5, "/next");
        answer(called("/next"));

        assertThat(client.answer(5).status()).isEqualTo("200");
    }

    private RawConnection called(String path) throws IOException {
        RawConnection call = gateway.upstream.accept();
        assertThat(call.readHead()).startsWith("GET " + path + " HTTP/1.1\r\n");
        return call;
    }

    private static void answer(RawConnection call) throws IOException {
        call.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
        call.close();
    }
}
