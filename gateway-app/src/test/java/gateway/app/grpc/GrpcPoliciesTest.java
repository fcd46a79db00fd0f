package gateway.app.grpc;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Channel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Policies and steering around calls that a server answers.
final class GrpcPoliciesTest {
    private static final String H2C = "\"protocol\": \"h2c\"";

    @TempDir
    private Path folder;

    private GrpcGateway gateway;
    private GrpcEchoServer server;

    @BeforeEach
    void start() throws Exception {
        gateway = GrpcGateway.start(folder, Map.of());
        server = GrpcEchoServer.plain();
    }

    @AfterEach
    void stop() {
        gateway.close();
        server.close();
    }

    @Test
    void a_key_is_metadata_and_opens_the_methods_it_is_granted() throws Exception {
        gateway.define("echo", "/", "{\"type\": \"key-auth\", \"header\": \"X-Api-Key\"}", H2C, server.url());
        String secret = gateway.admin().call("POST", "/keys", """
                        {"id": "alice", "apis": {"echo": {"paths": [{"path": "/test.Echo/Unary", "methods": ["POST"]},
                         {"path": "/other.Service"}]}}}""").get("secret").stringValue();
        Channel alice = GrpcGateway.with(gateway.secure(), "x-api-key", secret);

        assertThat(GrpcGateway.call(alice, Echo.UNARY, "hello")).isEqualTo("hello");
        Conversation chat = Conversation.begin(alice, Echo.CHAT).ask(1).say("hello");
        assertThat(chat.end().status().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(server.heads).hasSize(1);
    }

    @Test
    void path_rules_close_methods() throws Exception {
        gateway.define(
                "echo",
                "/",
                "{\"type\": \"path-rules\", \"block\": [{\"path\": \"/test.Echo/Chat\"}]}",
                H2C,
                server.url());
        Channel channel = gateway.plain();

        assertThat(GrpcGateway.call(channel, Echo.UNARY, "hello")).isEqualTo("hello");
        Conversation chat = Conversation.begin(channel, Echo.CHAT).ask(1).say("hello");
        assertThat(chat.end().status().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    @Test
    void a_limit_counts_calls_and_is_told_ahead_of_messages() throws Exception {
        gateway.define(
                "echo",
                "/",
                "{\"type\": \"rate-limit\", \"requests\": 1, \"per\": \"1h\", \"by\": \"ip\"}",
                H2C,
                server.url());
        Channel channel = gateway.plain();

        Conversation chat = Conversation.begin(channel, Echo.CHAT).ask(3);
        for (int i = 0; i < 3; i++) assertThat(chat.say("hello").heard()).isEqualTo("hello");

        assertThat(chat.head().get(Metadata.Key.of("x-ratelimit-remaining", Metadata.ASCII_STRING_MARSHALLER)))
                .isEqualTo("0");
        assertThat(chat.sayNoMore().end().status().isOk()).isTrue();
        assertThat(code(channel)).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    }

    @Test
    void a_call_that_no_server_has_seen_is_tried_at_another_one() throws Exception {
        gateway.define(
                "echo",
                "/",
                "",
                H2C + ", \"retry\": {\"attempts\": 2}, \"ejection\": {\"failures\": 1}",
                "http://127.0.0.1:" + portOfNobody(),
                server.url());
        Channel channel = gateway.plain();

        for (int i = 0; i < 10; i++) {
            assertThat(GrpcGateway.call(channel, Echo.UNARY, "hello " + i)).isEqualTo("hello " + i);
        }
    }

    private static int portOfNobody() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void a_call_that_a_server_has_seen_is_not_tried_again() throws Exception {
        try (GrpcEchoServer other = GrpcEchoServer.plain()) {
            gateway.define(
                    "echo",
                    "/",
                    "",
                    H2C + ", \"retry\": {\"attempts\": 3, \"on\": [\"unreachable\", \"broken\", \"timeout\"],"
                            + " \"methods\": [\"POST\"]}",
                    server.url(),
                    other.url());
            Channel channel = gateway.plain();
            Conversation call =
                    Conversation.begin(channel, Echo.UNARY).ask(2).say("wait").sayNoMore();
            GrpcEchoServer first = server;
            until(() -> first.waiting.tryAcquire() || other.waiting.tryAcquire());

            server.crash();
            other.crash();

            assertThat(call.end().status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(server.heads.size() + other.heads.size()).isEqualTo(1);
        }
    }

    @Test
    void a_server_whose_calls_fail_is_taken_out() throws Exception {
        try (GrpcEchoServer other = GrpcEchoServer.plain()) {
            gateway.define("echo", "/", "", H2C + ", \"ejection\": {\"failures\": 1}", server.url(), other.url());
            Channel channel = gateway.plain();
            server.failing = true;
            until(() -> code(channel) == Status.Code.UNAVAILABLE);
            server.heads.clear();

            for (int i = 0; i < 10; i++) GrpcGateway.call(channel, Echo.UNARY, "hello");

            assertThat(server.heads).isEmpty();
        }
    }

    @Test
    void a_server_that_is_started_anew_is_spoken_to_again() throws Exception {
        gateway.define("echo", "/", "", H2C, server.url());
        Channel channel = gateway.plain();
        assertThat(GrpcGateway.call(channel, Echo.UNARY, "a")).isEqualTo("a");
        int port = server.port();

        server.close();
        assertThat(code(channel)).isEqualTo(Status.Code.UNAVAILABLE);
        server = GrpcEchoServer.plainAt(port);

        assertThat(GrpcGateway.call(channel, Echo.UNARY, "b")).isEqualTo("b");
    }

    @Test
    void only_servers_that_say_they_serve_are_called() throws Exception {
        try (GrpcEchoServer other = GrpcEchoServer.plain()) {
            String check = "{\"type\": \"grpc\", \"service\": \"test.Echo\", \"interval\": \"300ms\"}";
            gateway.define("echo", "/", "", H2C + ", \"healthCheck\": " + check, server.url(), other.url());
            Channel channel = gateway.plain();
            until(() -> serves(channel, server) && serves(channel, other));

            server.serving = false;

            until(() -> !serves(channel, server) && serves(channel, other));
        }
    }

    /// Whether some of the next calls come to `server`, and none fails.
    private static boolean serves(Channel channel, GrpcEchoServer server) {
        server.heads.clear();
        for (int i = 0; i < 4; i++) {
            if (code(channel) != Status.Code.OK) return false;
        }
        return !server.heads.isEmpty();
    }

    private static Status.Code code(Channel channel) {
        try {
            GrpcGateway.call(channel, Echo.UNARY, "hello");
            return Status.Code.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        }
    }
}
