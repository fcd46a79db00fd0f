package gateway.wire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Checks of a grpc-java server. Its messages are octets as the protocol defines them.
final class GrpcProbeTest {
    private static final byte[] IS_SERVING = {8, 1};
    private static final byte[] IS_NOT_SERVING = {8, 2};
    private static final byte[] IS_UNKNOWN = {};

    private Server server;

    @BeforeEach
    void start() throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(ServerServiceDefinition.builder("grpc.health.v1.Health")
                        .addMethod(method("grpc.health.v1.Health/Check"), ServerCalls.asyncUnaryCall(this::check))
                        .build())
                .build()
                .start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        server.shutdownNow().awaitTermination();
    }

    /// By the name of the service: the server as a whole and a long name serve, `down` does not.
    private void check(byte[] request, StreamObserver<byte[]> answer) {
        String asked = new String(request, StandardCharsets.ISO_8859_1);
        switch (asked.isEmpty() ? asked : asked.substring(2)) {
            case "" -> answer.onNext(IS_SERVING);
            case "down" -> answer.onNext(IS_NOT_SERVING);
            case "odd" -> answer.onNext(IS_UNKNOWN);
            case "slow" -> {
                return;
            }
            default -> {
                if (!asked.endsWith("x".repeat(300))) {
                    answer.onError(Status.NOT_FOUND.asRuntimeException());
                    return;
                }
                answer.onNext(IS_SERVING);
            }
        }
        answer.onCompleted();
    }

    @Test
    void a_server_that_serves_is_good() throws IOException {
        assertThat(serves("")).isTrue();
        assertThat(serves("x".repeat(300))).isTrue();
    }

    @Test
    void one_that_does_not_serve_or_know_the_service_is_not() throws IOException {
        assertThat(serves("down")).isFalse();
        assertThat(serves("odd")).isFalse();
        assertThat(serves("nobody")).isFalse();
    }

    @Test
    void one_that_does_not_answer_in_time_is_not() {
        assertThatThrownBy(() -> serves("slow", server.getPort(), 100)).isInstanceOf(IOException.class);
    }

    @Test
    void one_that_speaks_http_1_is_not() throws IOException {
        try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try (Socket client = other.accept()) {
                    client.getOutputStream()
                            .write("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });

            assertThat(answers(other.getLocalPort())).isFalse();
        }
    }

    private static boolean answers(int port) {
        try {
            return serves("", port, 30_000);
        } catch (IOException e) {
            return false;
        }
    }

    private boolean serves(String service) throws IOException {
        return serves(service, server.getPort(), 30_000);
    }

    private static boolean serves(String service, int port, long millis) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return new GrpcProbe(socket, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis))
                    .serves("127.0.0.1:" + port, service);
        }
    }

    static MethodDescriptor<byte[], byte[]> method(String name) {
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setFullMethodName(name)
                .setType(MethodDescriptor.MethodType.UNARY)
                .setRequestMarshaller(new Octets())
                .setResponseMarshaller(new Octets())
                .build();
    }

    private record Octets() implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] message) {
            return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try (stream) {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
