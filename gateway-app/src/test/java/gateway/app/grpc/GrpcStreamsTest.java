package gateway.app.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Many streams, large ones, and slow ones.
final class GrpcStreamsTest {
    private static final int CONNECTIONS = 10;
    private static final int STREAMS = 1_000;
    private static final int LARGE = 8 << 20;

    @TempDir
    private Path folder;

    private GrpcGateway gateway;
    private GrpcEchoServer server;

    @BeforeEach
    void start() throws Exception {
        gateway = GrpcGateway.start(folder, Map.of("GATEWAY_REQUESTS_IN_FLIGHT", "2000"));
        server = GrpcEchoServer.plain();
        gateway.define("echo", "/", "", "\"protocol\": \"h2c\"", server.url());
    }

    @AfterEach
    void stop() {
        gateway.close();
        server.close();
    }

    @Test
    void large_messages_arrive_whole_both_ways() {
        String message = "0123456789abcdef".repeat(LARGE / 16);

        for (Channel channel : List.of(gateway.plain(), gateway.secure())) {
            assertThat(GrpcGateway.call(channel, Echo.UNARY, message).equals(message))
                    .isTrue();
        }
    }

    @Test
    void a_thousand_streams_at_once_talk_over_a_few_connections() throws Exception {
        var channels = new ArrayList<Channel>();
        for (int i = 0; i < CONNECTIONS; i++) channels.add(gateway.plain());
        var chats = new ArrayList<Conversation>();
        for (int i = 0; i < STREAMS; i++) {
            chats.add(Conversation.begin(channels.get(i % CONNECTIONS), Echo.CHAT)
                    .ask(3)
                    .say("a" + i));
        }
        for (int i = 0; i < STREAMS; i++) assertThat(chats.get(i).heard()).isEqualTo("a" + i);
        assertThat(gateway.admin().get("/metrics").body()).contains("gateway_requests_in_flight 1000.0");

        for (int i = STREAMS - 1; i >= 0; i--) chats.get(i).say("b" + i);

        for (int i = 0; i < STREAMS; i++) {
            assertThat(chats.get(i).heard()).isEqualTo("b" + i);
            assertThat(chats.get(i).sayNoMore().end().status().isOk()).isTrue();
        }
    }

    /// Clients of grpc-java measure their way to the server by a PING with most answers.
    @Test
    void many_short_calls_of_one_client_are_no_flood() throws Exception {
        Channel channel = gateway.plain();
        int count = 20_000;
        var pending = new Semaphore(100);
        var failed = new AtomicInteger();
        for (int i = 0; i < count; i++) {
            pending.acquire();
            ClientCalls.asyncUnaryCall(
                    channel.newCall(Echo.UNARY, CallOptions.DEFAULT), "hello", new StreamObserver<>() {
                        @Override
                        public void onNext(String answer) {}

                        @Override
                        public void onError(Throwable why) {
                            failed.incrementAndGet();
                            pending.release();
                        }

                        @Override
                        public void onCompleted() {
                            pending.release();
                        }
                    });
        }

        assertThat(pending.tryAcquire(100, 60, TimeUnit.SECONDS)).isTrue();
        assertThat(failed).hasValue(0);
    }

    @Test
    void a_slow_reader_holds_back_its_server_and_no_other_call() throws Exception {
        Channel channel = gateway.plain();
        int count = 2_000; // of 16 KiB each: 32 MiB
        Conversation slow = Conversation.begin(channel, Echo.DOWNLOAD)
                .say(count + " 16384")
                .sayNoMore()
                .ask(1);
        assertThat(slow.heard()).hasSize(16_384);

        int sent = settled();

        assertThat(sent).isLessThan(count / 2);
        assertThat(GrpcGateway.call(channel, Echo.UNARY, "hello")).isEqualTo("hello");
        slow.ask(count);
        for (int i = 1; i < count; i++) assertThat(slow.heard()).hasSize(16_384);
        assertThat(slow.end().status().isOk()).isTrue();
    }

    /// How many messages the server has sent once it sends no more.
    private int settled() {
        int before = -1;
        while (server.sent.get() != before) {
            before = server.sent.get();
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        }
        return before;
    }

    @Test
    void a_slow_server_holds_back_its_client() throws Exception {
        Conversation upload = Conversation.begin(gateway.plain(), Echo.HOLD).ask(1);
        String message = "x".repeat(16_384);
        int sent = 0;
        for (int quiet = 0; quiet < 10 && sent < 2_000; ) {
            if (upload.isReady()) {
                upload.say(message);
                sent++;
                quiet = 0;
            } else {
                quiet++;
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
        }

        assertThat(sent).isLessThan(1_000);
        server.released.countDown();
        assertThat(upload.sayNoMore().heard()).isEqualTo(sent + " " + sent * 16_384L);
    }

    @Test
    void an_open_stream_outlives_a_change_of_its_api() throws Exception {
        Channel channel = gateway.plain();
        Conversation chat = Conversation.begin(channel, Echo.CHAT).ask(10);
        assertThat(chat.say("a").heard()).isEqualTo("a");

        gateway.redefine(
                "echo", "/", "{\"type\": \"key-auth\"}", "\"protocol\": \"h2c\", \"timeout\": \"1m\"", server.url());

        Conversation late = Conversation.begin(channel, Echo.CHAT).ask(1).say("b");
        assertThat(late.end().status().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(chat.say("c").heard()).isEqualTo("c");
        assertThat(chat.sayNoMore().end().status().isOk()).isTrue();
    }

    @Test
    void messages_past_the_largest_body_exhaust_a_resource() throws Exception {
        gateway.redefine(
                "echo",
                "/",
                "{\"type\": \"request-size-limit\", \"max\": \"64KiB\"}",
                "\"protocol\": \"h2c\"",
                server.url());
        Channel channel = gateway.plain();

        Conversation upload = Conversation.begin(channel, Echo.UPLOAD).ask(2).say("x".repeat(100_000));

        assertThat(upload.end().status().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(GrpcGateway.call(channel, Echo.UNARY, "hello")).isEqualTo("hello");
    }

    @Test
    void the_timeout_of_the_api_ends_a_stream_and_does_not_look_like_its_end() throws Exception {
        gateway.redefine("echo", "/", "", "\"protocol\": \"h2c\", \"timeout\": \"500ms\"", server.url());
        Channel channel = gateway.plain();

        Conversation silent = Conversation.begin(channel, Echo.CHAT).ask(1);
        Conversation begun = Conversation.begin(channel, Echo.UNARY, CallOptions.DEFAULT)
                .ask(2)
                .say("wait")
                .sayNoMore();

        assertThat(silent.end().status().isOk()).isFalse();
        assertThat(begun.end().status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(server.cancelled.tryAcquire(2, 60, TimeUnit.SECONDS)).isTrue();
    }
}
