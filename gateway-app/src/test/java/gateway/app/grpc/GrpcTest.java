package gateway.app.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.wire.tls.TestAuthority;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Calls of every kind between a client and a server of grpc-java.
final class GrpcTest {
    @TempDir
    private Path folder;

    private GrpcGateway gateway;
    private GrpcEchoServer server;

    @BeforeEach
    void start() throws Exception {
        gateway = GrpcGateway.start(folder, Map.of());
        server = GrpcEchoServer.plain();
        gateway.define("echo", "/", "", "\"protocol\": \"h2c\"", server.url());
    }

    @AfterEach
    void stop() {
        gateway.close();
        server.close();
    }

    @Test
    void calls_of_all_four_kinds_pass_over_tls_and_in_the_clear() throws Exception {
        for (Channel channel : List.of(gateway.plain(), gateway.secure())) passesAllKinds(channel);
    }

    @Test
    void a_server_is_spoken_to_over_tls_too() throws Exception {
        var authority = new TestAuthority();
        Path ca = authority.write(folder.resolve("servers.pem"));
        try (GrpcEchoServer secure = GrpcEchoServer.secure(authority)) {
            for (String protocol : List.of("h2", "auto")) {
                gateway.redefine(
                        "echo",
                        "/",
                        "",
                        "\"protocol\": \"%s\", \"tls\": {\"ca\": \"%s\"}".formatted(protocol, ca),
                        secure.url());
                for (Channel channel : List.of(gateway.plain(), gateway.secure())) passesAllKinds(channel);
            }
        }
    }

    private static void passesAllKinds(Channel channel) throws Exception {
        assertThat(GrpcGateway.call(channel, Echo.UNARY, "hello")).isEqualTo("hello");

        Conversation upload = Conversation.begin(channel, Echo.UPLOAD).ask(2);
        for (int i = 0; i < 100; i++) upload.say("0123456789");
        assertThat(upload.sayNoMore().heard()).isEqualTo("100 1000");
        assertThat(upload.end().status().isOk()).isTrue();

        var messages = new ArrayList<String>();
        ClientCalls.blockingServerStreamingCall(
                        channel, Echo.DOWNLOAD, CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS), "100 10")
                .forEachRemaining(messages::add);
        assertThat(messages).hasSize(100).containsOnly("xxxxxxxxxx");

        Conversation chat = Conversation.begin(channel, Echo.CHAT).ask(100);
        for (int i = 0; i < 100; i++) {
            assertThat(chat.say("ping " + i).heard()).isEqualTo("ping " + i);
        }
        assertThat(chat.sayNoMore().end().status().isOk()).isTrue();
    }

    @Test
    void the_servers_status_message_and_trailers_pass_as_they_are() throws Exception {
        byte[] token = {0, 1, 2, (byte) 0xff};
        var metadata = new Metadata();
        metadata.put(GrpcEchoServer.TOKEN, token);
        Channel channel = GrpcGateway.with(gateway.plain(), metadata);

        assertThatThrownBy(() -> GrpcGateway.call(channel, Echo.UNARY, "fail"))
                .isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
                    assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
                    assertThat(e.getStatus().getDescription()).isEqualTo("100 % not now: é");
                    assertThat(e.getTrailers()).isNotNull();
                    assertThat(e.getTrailers().get(GrpcEchoServer.TOKEN)).isEqualTo(token);
                });

        Conversation chat = Conversation.begin(channel, Echo.CHAT).ask(2);
        assertThat(chat.say("bye").heard()).isEqualTo("bye");
        assertThat(chat.head().get(GrpcEchoServer.TOKEN)).isEqualTo(token);
        assertThat(chat.end().trailers().get(GrpcEchoServer.TOKEN)).isEqualTo(token);
    }

    @Test
    void the_server_sees_a_request_of_grpc() throws Exception {
        GrpcGateway.call(gateway.plain(), Echo.UNARY, "hello");

        Metadata head = server.heads.take();
        assertThat(value(head, "content-type")).isEqualTo("application/grpc");
        assertThat(value(head, "user-agent")).startsWith("grpc-java");
        assertThat(value(head, "had-deadline")).isEqualTo("yes");
        assertThat(value(head, "x-forwarded-for")).isEqualTo("127.0.0.1");
    }

    @Test
    void a_failure_in_the_middle_of_a_stream_comes_after_what_was_sent_before() throws Exception {
        Conversation download = Conversation.begin(gateway.secure(), Echo.DOWNLOAD)
                .ask(10)
                .say("3 5 fail")
                .sayNoMore();

        for (int i = 0; i < 3; i++) assertThat(download.heard()).isEqualTo("xxxxx");
        Status status = download.end().status();
        assertThat(status.getCode()).isEqualTo(Status.Code.ABORTED);
        assertThat(status.getDescription()).isEqualTo("enough");
    }

    @Test
    void a_server_that_breaks_off_is_no_end_of_a_stream() throws Exception {
        Conversation chat = Conversation.begin(gateway.plain(), Echo.CHAT).ask(10);
        assertThat(chat.say("a").heard()).isEqualTo("a");

        server.crash();

        assertThat(chat.end().status().isOk()).isFalse();
    }

    @Test
    void a_client_that_cancels_ends_its_call_at_the_server_and_no_other() throws Exception {
        Channel channel = gateway.plain();
        Conversation other = Conversation.begin(channel, Echo.CHAT).ask(10).say("a");
        assertThat(other.heard()).isEqualTo("a");
        Conversation unary =
                Conversation.begin(channel, Echo.UNARY).ask(2).say("wait").sayNoMore();
        Conversation chat = Conversation.begin(channel, Echo.CHAT).ask(10).say("b");
        assertThat(chat.heard()).isEqualTo("b");
        assertThat(server.waiting.tryAcquire(3, 60, TimeUnit.SECONDS)).isTrue();

        unary.cancel();
        chat.cancel();

        assertThat(server.cancelled.tryAcquire(2, 60, TimeUnit.SECONDS)).isTrue();
        assertThat(other.say("c").heard()).isEqualTo("c");
    }

    @Test
    void a_clients_deadline_ends_its_call_at_the_server() throws Exception {
        Conversation late = Conversation.begin(
                        gateway.plain(), Echo.UNARY, CallOptions.DEFAULT.withDeadlineAfter(300, TimeUnit.MILLISECONDS))
                .ask(2)
                .say("wait")
                .sayNoMore();

        assertThat(late.end().status().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        assertThat(server.cancelled.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_server_that_ends_a_call_early_is_believed() throws Exception {
        Conversation chat = Conversation.begin(gateway.plain(), Echo.CHAT).ask(10);

        assertThat(chat.say("bye").heard()).isEqualTo("bye");
        assertThat(chat.end().status().isOk()).isTrue();
    }

    @Test
    void compressed_messages_pass_as_they_are() throws Exception {
        Channel channel = gateway.plain();
        String message = "gzip:" + "a".repeat(100_000);

        Conversation unary = Conversation.begin(channel, Echo.UNARY, CallOptions.DEFAULT.withCompression("gzip"))
                .ask(2)
                .compress()
                .say(message)
                .sayNoMore();

        assertThat(unary.heard()).isEqualTo(message);
        assertThat(value(unary.head(), "grpc-encoding")).isEqualTo("gzip");
        assertThat(value(server.heads.take(), "grpc-encoding")).isEqualTo("gzip");
        unary.end();
        gateway.close();
        assertThat(gateway.records()).singleElement().satisfies(record -> {
            assertThat(record.at("/http/request/body/bytes").asInt()).isLessThan(2_000);
            assertThat(record.at("/http/response/body/bytes").asInt()).isLessThan(2_000);
        });
    }

    @Test
    void records_tell_the_status_of_the_call() throws Exception {
        Channel channel = gateway.plain();
        GrpcGateway.call(channel, Echo.UNARY, "hello");
        assertThatThrownBy(() -> GrpcGateway.call(channel, Echo.UNARY, "fail")).hasMessageContaining("not now");
        gateway.close();

        assertThat(gateway.records())
                .allSatisfy(record -> {
                    assertThat(record.at("/http/version").asString()).isEqualTo("2");
                    assertThat(record.at("/http/response/status_code").asInt()).isEqualTo(200);
                    assertThat(record.at("/url/path").asString()).isEqualTo("/test.Echo/Unary");
                })
                .extracting(record -> record.at("/gateway/grpc_status").asInt(-1))
                .containsExactly(0, 9);
    }

    private static String value(Metadata head, String name) {
        return String.valueOf(head.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)));
    }
}
