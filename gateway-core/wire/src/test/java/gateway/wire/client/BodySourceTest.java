package gateway.wire.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Body;
import gateway.http.BodyTooLargeException;
import gateway.http.UpstreamException;
import gateway.http.UpstreamException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.xnio.ChannelPipe;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.Xnio;
import org.xnio.XnioWorker;
import org.xnio.channels.Configurable;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.channels.StreamSourceChannel;
import org.xnio.conduits.AbstractStreamSourceConduit;
import org.xnio.conduits.ConduitStreamSourceChannel;
import org.xnio.conduits.StreamSourceConduit;

/// A client's body as it comes through a pipe.
final class BodySourceTest {
    private static XnioWorker worker;

    private ChannelPipe<StreamSourceChannel, StreamSinkChannel> pipe;
    private final Taker taker = new Taker(new ArrayList<>(), new CountDownLatch(1));
    private final ByteBuffer buffer = ByteBuffer.allocate(64);

    @BeforeAll
    static void startWorker() throws IOException {
        worker = Xnio.getInstance().createWorker(OptionMap.create(Options.WORKER_IO_THREADS, 1));
    }

    @AfterAll
    static void stopWorker() {
        worker.shutdownNow();
    }

    @BeforeEach
    void open() throws IOException {
        pipe = worker.createHalfDuplexPipe();
    }

    @AfterEach
    void close() {
        IoUtils.safeClose(pipe.getLeftSide(), pipe.getRightSide());
    }

    /// @param failures what was told of, in order
    private record Taker(List<RuntimeException> failures, CountDownLatch pumped) implements BodySource.Taker {
        @Override
        public void pump() {
            pumped.countDown();
        }

        @Override
        public void bodyFailed(RuntimeException why) {
            failures.add(why);
        }
    }

    /// @param streaming null: none
    /// @param seen what was taken note of
    private record Content(
            @Nullable StreamSourceChannel streaming, long length, long limit, boolean continueDue, StringBuilder seen)
            implements SentContent {
        @Override
        public void received(ByteBuffer from, int start, int count) {
            for (int i = start; i < start + count; i++) seen.append((char) from.get(i));
        }
    }

    /// What is left of a connection that was reset.
    private static final class Reset extends AbstractStreamSourceConduit<StreamSourceConduit> {
        Reset(ChannelPipe<StreamSourceChannel, StreamSinkChannel> of) {
            super(((ConduitStreamSourceChannel) of.getLeftSide()).getConduit());
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            throw new IOException("Connection reset by peer");
        }
    }

    private Content content(long length, long limit, boolean continueDue) {
        return new Content(pipe.getLeftSide(), length, limit, continueDue, new StringBuilder());
    }

    private BodySource source(long length) {
        return BodySource.of(content(length, Long.MAX_VALUE, false), taker);
    }

    private void send(String text) throws IOException {
        assertThat(pipe.getRightSide().write(ByteBuffer.wrap(text.getBytes(US_ASCII))))
                .isEqualTo(text.length());
    }

    private String read() {
        return US_ASCII.decode(buffer.flip()).toString();
    }

    @Test
    void takes_what_is_here_and_counts_it() throws IOException {
        Content content = content(-1, Long.MAX_VALUE, false);
        BodySource source = BodySource.of(content, taker);
        assertThat(source.isUntouched()).isTrue();
        send("hello");

        assertThat(source.read(buffer)).isEqualTo(5);
        assertThat(source.read(buffer)).isZero();

        assertThat(read()).isEqualTo("hello");
        assertThat(content.seen().toString()).isEqualTo("hello");
        assertThat(source.taken()).isEqualTo(5);
        assertThat(source.ended()).isFalse();
    }

    @Test
    void one_of_known_length_ends_with_its_last_byte() throws IOException {
        BodySource source = source(5);
        send("hel");
        assertThat(source.read(buffer)).isEqualTo(3);
        assertThat(source.ended()).isFalse();
        send("lo");

        assertThat(source.read(buffer)).isEqualTo(2);

        assertThat(source.ended()).isTrue();
    }

    @Test
    void one_that_is_announced_as_empty_has_ended_when_it_is_looked_at() {
        BodySource source = source(0);

        assertThat(source.read(buffer)).isEqualTo(-1);

        assertThat(source.ended()).isTrue();
    }

    @Test
    @Timeout(60)
    void one_of_unknown_length_ends_when_the_client_says_so() throws IOException {
        BodySource source = source(-1);
        pipe.getRightSide().shutdownWrites();

        int read = source.read(buffer);
        while (read == 0) read = source.read(buffer); // a pipe is closed with the next turn of its selector
        assertThat(read).isEqualTo(-1);

        assertThat(source.ended()).isTrue();
        assertThat(source.isUntouched()).isTrue();
    }

    @Test
    void more_than_is_allowed_fails() throws IOException {
        BodySource source = BodySource.of(content(-1, 4, false), taker);
        send("hello");

        assertThat(source.read(buffer)).isEqualTo(-1);

        assertThat(taker.failures()).hasSize(1).first().isInstanceOf(BodyTooLargeException.class);
        assertThat(source.ended()).isFalse();
    }

    @Test
    void a_client_that_breaks_off_fails() {
        Content content = new Content(
                new ConduitStreamSourceChannel(Configurable.EMPTY, new Reset(pipe)), -1, 9, false, new StringBuilder());
        BodySource source = BodySource.of(content, taker);

        assertThat(source.read(buffer)).isEqualTo(-1);

        assertThat(taker.failures())
                .singleElement()
                .isInstanceOfSatisfying(
                        UpstreamException.class, why -> assertThat(why.kind()).isEqualTo(Kind.CLIENT_GONE));
    }

    @Test
    void tells_when_there_is_more() throws Exception {
        BodySource source = source(-1);
        source.await();

        send("more");

        assertThat(taker.pumped().await(30, TimeUnit.SECONDS)).isTrue();
        source.pause();
        assertThat(pipe.getLeftSide().isReadResumed()).isFalse();
    }

    @Test
    void a_client_that_waits_to_be_asked_is_asked_once() {
        BodySource source = BodySource.of(content(5, Long.MAX_VALUE, true), taker);
        assertThat(source.waits()).isTrue();

        assertThat(source.release()).isTrue();

        assertThat(source.waits()).isFalse();
        assertThat(source.release()).isFalse();
    }

    @Test
    void where_no_answer_comes_in_time_the_client_is_blamed_for_what_it_has_yet_to_send() throws IOException {
        BodySource source = source(5);
        send("hel");
        source.read(buffer);
        assertThat(source.late(true).kind()).isEqualTo(Kind.CLIENT_SLOW);
        assertThat(source.late(false).kind()).isEqualTo(Kind.TIMEOUT);
        send("lo");
        source.read(buffer);

        assertThat(source.late(true).kind()).isEqualTo(Kind.TIMEOUT);
    }

    @Test
    void a_client_that_nobody_has_asked_is_not_to_blame() {
        BodySource source = BodySource.of(content(5, Long.MAX_VALUE, true), taker);

        assertThat(source.late(true).kind()).isEqualTo(Kind.TIMEOUT);
    }

    @Test
    void what_does_not_stream_has_ended_before_it_began() {
        BodySource source = BodySource.of(SentContent.NONE, taker);

        source.await();
        source.pause();

        assertThat(source.streams()).isFalse();
        assertThat(source.ended()).isTrue();
        assertThat(source.isUntouched()).isTrue();
        assertThat(source.read(buffer)).isEqualTo(-1);
        assertThat(source.late(true).kind()).isEqualTo(Kind.TIMEOUT);
        assertThat(taker.failures()).isEmpty();
    }

    @Test
    void a_held_body_is_sent_where_nothing_streams() {
        Body held = Body.of("held".getBytes(US_ASCII));

        assertThat(BodySource.held(SentContent.NONE, held)).isEqualTo("held".getBytes(US_ASCII));
        assertThat(BodySource.held(content(5, Long.MAX_VALUE, false), held)).isEmpty();
    }

    @Test
    void what_is_known_to_be_too_large_is_refused() {
        Body held = Body.of("held".getBytes(US_ASCII));
        Content none = new Content(null, 500, 4, false, new StringBuilder()); // replaced: what was announced is gone

        BodySource.checkLength(content(4, 4, false), Body.EMPTY);
        BodySource.checkLength(content(-1, 4, false), Body.EMPTY);
        BodySource.checkLength(none, held);

        assertThatThrownBy(() -> BodySource.checkLength(content(5, 4, false), Body.EMPTY))
                .isInstanceOf(BodyTooLargeException.class);
        assertThatThrownBy(() -> BodySource.checkLength(none, Body.of("held too".getBytes(US_ASCII))))
                .isInstanceOf(BodyTooLargeException.class);
    }

    @Test
    void what_a_policy_puts_in_its_place_is_sent_whatever_makes_its_bytes_and_however_long_it_is() {
        var made = new MadeBody("made by a policy");
        SentContent replaced = new Replaced(4);

        assertThat(BodySource.held(replaced, made)).isEqualTo("made by a policy".getBytes(US_ASCII));
        BodySource.checkLength(replaced, made);
    }

    /// @param limit of what the client may send
    private record Replaced(long limit) implements SentContent {
        @Override
        public @Nullable StreamSourceChannel streaming() {
            return null;
        }

        @Override
        public boolean isReplaced() {
            return true;
        }

        @Override
        public long length() {
            return 500;
        }

        @Override
        public void received(ByteBuffer from, int start, int count) {}

        @Override
        public boolean continueDue() {
            return false;
        }
    }

    /// A body of somebody else's making.
    private record MadeBody(String content) implements Body {
        @Override
        public OptionalLong length() {
            return OptionalLong.empty();
        }

        @Override
        public byte[] bytes(long max) {
            return content.getBytes(US_ASCII);
        }
    }
}
