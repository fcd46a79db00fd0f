package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.CANCEL;
import static gateway.app.proxy.Http2Wire.CONTINUATION;
import static gateway.app.proxy.Http2Wire.END_HEADERS;
import static gateway.app.proxy.Http2Wire.ENHANCE_YOUR_CALM;
import static gateway.app.proxy.Http2Wire.GOAWAY;
import static gateway.app.proxy.Http2Wire.HEADERS;
import static gateway.app.proxy.Http2Wire.PING;
import static gateway.app.proxy.Http2Wire.RST_STREAM;
import static gateway.app.proxy.Http2Wire.head;
import static gateway.app.proxy.Http2Wire.joined;
import static gateway.app.proxy.Http2Wire.number;
import static gateway.app.proxy.Http2Wire.section;
import static gateway.app.proxy.Http2Wire.setting;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.TargetDefinition;
import gateway.wire.memory.Budget;
import gateway.wire.memory.Kind;
import gateway.wire.memory.MemoryBudget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What connections of HTTP/2 take of the budgets, when they give it back, and what becomes of those that find none.
/// The upstream never answers, so that streams last, nor takes a connection, so that nobody reads their content.
final class Http2MemoryTest {
    private static final int STREAMS = 128;
    private static final Duration LONG = Duration.ofSeconds(60); // than the client's patience
    private static final long AT_HAND = 2 * 32 * 1024 + 16 * 1024; // of an IO thread's purse, and the connection's own
    private static final String[] MALFORMED = joined(head("POST", "/"), "te", "gzip");

    private final MemoryBudget memory = new MemoryBudget(1 << 30, 1 << 30);
    private final FullBacklog nobody = new FullBacklog();
    private final Http2Gateway gateway;

    Http2MemoryTest() throws IOException {
        var upstream = OneRoute.patientlyTo(new TargetDefinition(URI.create(nobody.url()), 1));
        gateway = Http2Gateway.inFrontOf(
                upstream,
                plane -> plane.withMemory(memory)
                        .withTimeouts(Duration.ofSeconds(10), LONG, LONG)
                        .withLeastRates(LeastRates.of(0, 0)));
    }

    @AfterEach
    void close() throws IOException {
        gateway.close();
        nobody.close();
    }

    /// How streams end.
    enum End {
        RESET_BY_THE_CLIENT {
            @Override
            void of(Http2Wire client) throws IOException {
                for (int stream = 1; stream < 2 * STREAMS; stream += 2)
                    client.frame(RST_STREAM, 0, stream, number(CANCEL));
            }
        },
        RESET_BY_THE_GATEWAY {
            @Override
            void of(Http2Wire client) throws IOException {
                for (int stream = 1; stream < 200; stream += 2) client.data(stream, true, "too much");
                for (int stream = 201; stream < 2 * STREAMS; stream += 2) // as many faults as one may have
                client.frame(RST_STREAM, 0, stream, number(CANCEL));
            }
        },
        CONNECTION_CLOSED {
            @Override
            void of(Http2Wire client) throws IOException {
                client.close();
            }
        },
        CONNECTION_RESET {
            @Override
            void of(Http2Wire client) throws IOException {
                client.connection().reset();
            }
        },
        CONNECTION_ENDED_BY_THE_GATEWAY {
            @Override
            void of(Http2Wire client) throws IOException {
                client.frame(PING, 0, 1, new byte[8]);
            }
        };

        abstract void of(Http2Wire client) throws IOException;
    }

    @ParameterizedTest
    @EnumSource
    void streams_give_back_what_they_held_however_they_end(End end) throws IOException {
        try (Http2Wire client = gateway.wire()) {
            for (int stream = 1; stream < 2 * STREAMS; stream += 2)
                client.post(stream, "/", "content-length", "30000").data(stream, false, "x".repeat(2999));
            await(client);
            assertThat(taken(Kind.HEADS)).isGreaterThan(STREAMS * 5 * 1024L);
            assertThat(taken(Kind.FRAMES)).isGreaterThan(STREAMS * 2999L);

            end.of(client);

            awaitGone(Kind.HEADS);
            awaitGone(Kind.FRAMES);
        }
    }

    @Test
    void answered_requests_give_back_what_they_held() throws IOException {
        try (Http2Wire client = gateway.wire()) {
            for (int stream = 1; stream < 2000; stream += 2) {
                client.headers(stream, false, MALFORMED).data(stream, true, "x".repeat(500));

                assertThat(client.answer(stream).status()).isEqualTo("400");
            }

            awaitGone(Kind.HEADS);
            awaitGone(Kind.FRAMES);
        }
    }

    @Test
    void a_head_in_pieces_that_there_is_no_memory_for_ends_the_connection() throws IOException {
        try (Http2Wire client = gateway.wire()) {
            await(client);
            spend(Kind.HEADS);
            client.frame(HEADERS, 0, 1, section(head("GET", "/")));
            for (int i = 0; i < 5; i++) client.frame(CONTINUATION, 0, 1, section("x", "y".repeat(16_000)));

            assertThat(client.next(GOAWAY).code()).isEqualTo(ENHANCE_YOUR_CALM);
            assertThat(memory.of(Kind.HEADS).refused()).isPositive();
        }
    }

    @Test
    void a_connection_that_there_is_no_memory_for_is_closed() throws IOException {
        spend(Kind.HEADS);
        try (RawConnection client = gateway.plain()) { // at the door, before a word
            assertThat(client.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void a_connection_without_streams_is_closed_soon_when_memory_is_tight() throws IOException {
        try (Http2Wire idle = gateway.wire()) {
            await(idle);
            tighten();

            assertThat(idle.next(GOAWAY).code()).isZero();
        }
    }

    @Test
    void a_stream_whose_client_takes_nothing_is_reset_soon_when_memory_is_tight() throws IOException {
        try (Http2Wire client = gateway.wire()) {
            client.frame(Http2Wire.SETTINGS, 0, 0, setting(4, 0)).headers(1, true, MALFORMED);
            client.get(3, "/");
            client.next(HEADERS);
            tighten();

            Http2Wire.Frame reset = client.next(RST_STREAM);
            assertThat(reset.stream()).isEqualTo(1);
            assertThat(reset.code()).isEqualTo(CANCEL);
        }
    }

    @Test
    void a_request_whose_client_sends_nothing_more_of_it_is_given_up_soon_when_memory_is_tight() throws IOException {
        try (Http2Wire client = gateway.wire()) {
            client.post(1, "/", "content-length", "5000").data(1, false, "x");
            await(client);
            tighten();

            assertThat(client.answer(1).status()).isEqualTo("408");
        }
    }

    @Test
    void a_value_that_all_heads_of_a_connection_share_is_counted_once() throws IOException {
        byte[] shared = section("x-shared", "y".repeat(3_900));
        shared[0] = 0x40; // to be put into the table
        byte[] again = new byte[6];
        Arrays.fill(again, (byte) (0x80 | 62)); // the latest of the table
        try (Http2Wire client = gateway.wire()) {
            long before = taken(Kind.HEADS);
            client.frame(HEADERS, END_HEADERS, 1, together(section(head("POST", "/")), shared, again));
            for (int stream = 3; stream < 200; stream += 2)
                client.frame(HEADERS, END_HEADERS, stream, together(section(head("POST", "/")), again));
            await(client);

            assertThat(taken(Kind.HEADS) - before).isBetween(100 * 5 * 1024L, 1024 * 1024L);
        }
        awaitGone(Kind.HEADS);
    }

    private static byte[] together(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] each : parts) all.writeBytes(each);
        return all.toByteArray();
    }

    @Test
    void half_a_frame_ends_its_connection_soon_when_memory_is_tight() throws IOException {
        try (Http2Wire client = gateway.wire()) {
            client.get(1, "/");
            await(client);
            client.connection().send(new byte[] {0, 0, 8});
            tighten();

            assertThat(client.next(GOAWAY).code()).isEqualTo(ENHANCE_YOUR_CALM);
        }
    }

    private void spend(Kind kind) {
        Budget budget = memory.of(kind);
        assertThat(budget.take(budget.most() - budget.taken())).isTrue();
    }

    private void tighten() {
        Budget bodies = memory.of(Kind.BODIES);
        assertThat(bodies.take(bodies.most() - bodies.most() / 8)).isTrue();
    }

    private long taken(Kind kind) {
        return memory.of(kind).taken();
    }

    /// All that was sent has been taken.
    private static void await(Http2Wire client) throws IOException {
        client.frame(PING, 0, 0, new byte[8]).next(PING);
    }

    private void awaitGone(Kind kind) {
        long until = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (taken(kind) > AT_HAND) {
            assertThat(System.nanoTime()).as("%s: %d", kind, taken(kind)).isLessThan(until);
            Thread.onSpinWait();
        }
    }
}
