package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.memory.Budget;
import gateway.wire.memory.Kind;
import gateway.wire.memory.MemoryBudget;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Connections in the clear that may speak HTTP/1.1 or HTTP/2.
@Timeout(60)
final class PriorKnowledgeTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @ParameterizedTest
    @ValueSource(strings = {"", "P", "PRI * HT"})
    void one_that_ends_before_it_is_clear_what_it_speaks_is_forgotten(String begin) throws IOException {
        try (Http2Gateway gateway = Http2Gateway.start();
                RawConnection client = gateway.plain()) {
            client.send(begin).finishSending();
            assertThat(client.isClosedByPeer()).isTrue();

            assertThat(gateway.dataPlane().stop(Duration.ofSeconds(5))).isTrue();
            until(() -> gateway.dataPlane().connections() == 0);
        }
    }

    @Test
    void one_that_begins_like_the_preface_may_speak_http_1() throws IOException {
        try (Http2Gateway gateway = Http2Gateway.start();
                RawConnection client = gateway.plain()) {
            client.send("P").send("UT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
            RawConnection upstream = gateway.upstream.accept();
            assertThat(upstream.readHead()).startsWith("PUT /x HTTP/1.1");
            upstream.send("HTTP/1.1 204 No Content\r\n\r\n");

            assertThat(client.readHead()).startsWith("HTTP/1.1 204 ");
        }
    }

    @Test
    void one_that_does_not_go_on_has_the_time_of_a_head() throws IOException {
        try (Http2Gateway gateway = Http2Gateway.with(plane -> plane.withTimeouts(Duration.ofMillis(100), LONG, LONG));
                RawConnection client = gateway.plain()) {
            client.send("PRI * HT");

            assertThat(client.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void one_that_has_said_nothing_is_closed_when_memory_is_tight() throws IOException {
        var memory = new MemoryBudget(16 << 20, 16 << 20);
        Budget bodies = memory.of(Kind.BODIES);
        try (Http2Gateway gateway = Http2Gateway.with(
                        plane -> plane.withTimeouts(LONG, LONG, LONG).withMemory(memory));
                RawConnection client = gateway.plain()) {
            until(() -> gateway.dataPlane().connections() > 0);

            bodies.take(bodies.most() / 16 * 12);

            assertThat(client.isClosedByPeer()).isTrue();
        }
    }
}
