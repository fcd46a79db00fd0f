package gateway.app.grpc;

import gateway.wire.tls.TestAuthority;
import io.grpc.Context;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/// A server of grpc-java with the methods of [Echo]. What a call does is what its messages say.
public final class GrpcEchoServer implements AutoCloseable {
    /// Sent with a call, it comes back in head and trailers.
    public static final Metadata.Key<byte[]> TOKEN = Metadata.Key.of("token-bin", Metadata.BINARY_BYTE_MARSHALLER);

    /// The metadata of every call, as they come.
    final BlockingQueue<Metadata> heads = new LinkedBlockingQueue<>();
    /// One for each call that came to a server that does not answer it.
    final Semaphore waiting = new Semaphore(0);
    /// One for each call whose client went away.
    public final Semaphore cancelled = new Semaphore(0);
    /// Lets calls of [Echo#HOLD] read on.
    final CountDownLatch released = new CountDownLatch(1);
    /// Messages of downloads that were handed to the transport.
    final AtomicInteger sent = new AtomicInteger();

    /// Whether unary calls are answered by UNAVAILABLE.
    volatile boolean failing;
    /// What checks of its health are told.
    volatile boolean serving = true;
    /// Checks that were told it does not serve.
    final AtomicInteger refusedChecks = new AtomicInteger();

    private final Server server;
    private final boolean secure;

    private GrpcEchoServer(NettyServerBuilder builder, boolean secure) throws IOException {
        this.secure = secure;
        this.server = builder.maxInboundMessageSize(64 << 20)
                .addService(service())
                .addService(ServerServiceDefinition.builder("grpc.health.v1.Health")
                        .addMethod(Echo.HEALTH, ServerCalls.asyncUnaryCall(this::check))
                        .build())
                .intercept(new Tokens())
                .build()
                .start();
    }

    public static GrpcEchoServer plain() throws IOException {
        return new GrpcEchoServer(at(0), false);
    }

    static GrpcEchoServer plainAt(int port) throws IOException {
        return new GrpcEchoServer(at(port), false);
    }

    static GrpcEchoServer secure(TestAuthority authority) throws IOException {
        TestAuthority.Issued own = authority.issue("localhost", "localhost");
        var identity = SslContextBuilder.forServer(own.keys().getPrivate(), own.certificate());
        return new GrpcEchoServer(
                at(0).sslContext(GrpcSslContexts.configure(identity).build()), true);
    }

    private static NettyServerBuilder at(int port) {
        return NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    public String url() {
        return secure ? "https://localhost:" + port() : "http://127.0.0.1:" + port();
    }

    int port() {
        return server.getPort();
    }

    private ServerServiceDefinition service() {
        return ServerServiceDefinition.builder(Echo.SERVICE)
                .addMethod(Echo.UNARY, ServerCalls.asyncUnaryCall(this::unary))
                .addMethod(Echo.UPLOAD, ServerCalls.asyncClientStreamingCall(GrpcEchoServer::upload))
                .addMethod(Echo.HOLD, ServerCalls.asyncClientStreamingCall(this::hold))
                .addMethod(Echo.DOWNLOAD, ServerCalls.asyncServerStreamingCall(this::download))
                .addMethod(Echo.CHAT, ServerCalls.asyncBidiStreamingCall(this::chat))
                .build();
    }

    /// `fail`: a status of its own. `wait`: no answer at all. `gzip:` and a text: the text, compressed. Else the
    /// message comes back.
    private void unary(String message, StreamObserver<String> answer) {
        var call = (ServerCallStreamObserver<String>) answer;
        if (message.equals("wait")) {
            call.setOnCancelHandler(cancelled::release);
            waiting.release();
            return;
        }
        if (failing) {
            answer.onError(Status.UNAVAILABLE.asRuntimeException());
            return;
        }
        if (message.equals("fail")) {
            answer.onError(Status.FAILED_PRECONDITION
                    .withDescription("100 % not now: é")
                    .asRuntimeException());
            return;
        }
        if (message.startsWith("gzip:")) call.setCompression("gzip");
        answer.onNext(message);
        answer.onCompleted();
    }

    /// HealthCheckResponse, as Protocol Buffers write it: SERVING or NOT_SERVING.
    private void check(String service, StreamObserver<String> answer) {
        if (!serving) refusedChecks.incrementAndGet();
        answer.onNext(serving ? "\b\001" : "\b\002");
        answer.onCompleted();
    }

    /// Answers how many messages and characters came.
    private static StreamObserver<String> upload(StreamObserver<String> answer) {
        return new StreamObserver<>() {
            private int messages;
            private long characters;

            @Override
            public void onNext(String message) {
                messages++;
                characters += message.length();
            }

            @Override
            public void onError(Throwable gone) {}

            @Override
            public void onCompleted() {
                answer.onNext(messages + " " + characters);
                answer.onCompleted();
            }
        };
    }

    /// The same, but takes nothing until it is let.
    private StreamObserver<String> hold(StreamObserver<String> answer) {
        var call = (ServerCallStreamObserver<String>) answer;
        call.disableAutoRequest();
        Thread.ofVirtual().start(() -> {
            try {
                released.await();
                call.request(Integer.MAX_VALUE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return upload(answer);
    }

    /// `<count> <size>` messages of that many characters, as fast as the transport takes them; then the end, or with
    /// ` fail` behind it a failure.
    private void download(String order, StreamObserver<String> answer) {
        String[] words = order.split(" ", -1);
        int count = Integer.parseInt(words[0]);
        String message = "x".repeat(Integer.parseInt(words[1]));
        var call = (ServerCallStreamObserver<String>) answer;
        var left = new AtomicInteger(count);
        call.setOnCancelHandler(cancelled::release);
        call.setOnReadyHandler(() -> {
            while (call.isReady() && left.get() > 0) {
                sent.incrementAndGet();
                call.onNext(message);
                if (left.decrementAndGet() > 0) continue;
                if (words.length > 2)
                    call.onError(Status.ABORTED.withDescription("enough").asRuntimeException());
                else call.onCompleted();
            }
        });
    }

    /// Sends each message back as it comes; after `bye` it is the server that ends the call.
    private StreamObserver<String> chat(StreamObserver<String> answer) {
        ((ServerCallStreamObserver<String>) answer).setOnCancelHandler(cancelled::release);
        waiting.release();
        return new StreamObserver<>() {
            @Override
            public void onNext(String message) {
                answer.onNext(message);
                if (message.equals("bye")) answer.onCompleted();
            }

            @Override
            public void onError(Throwable gone) {}

            @Override
            public void onCompleted() {
                answer.onCompleted();
            }
        };
    }

    /// Ends all connections at once.
    void crash() {
        server.shutdownNow();
    }

    @Override
    public void close() {
        server.shutdownNow();
        try {
            server.awaitTermination();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Notes heads, and whether a deadline came with them; sends tokens back.
    private final class Tokens implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata head, ServerCallHandler<Q, A> next) {
            if (Context.current().getDeadline() != null)
                head.put(Metadata.Key.of("had-deadline", Metadata.ASCII_STRING_MARSHALLER), "yes");
            if (call.getMethodDescriptor().getFullMethodName().startsWith(Echo.SERVICE)) heads.add(head);
            byte[] token = head.get(TOKEN);
            if (token == null) return next.startCall(call, head);
            return next.startCall(
                    new SimpleForwardingServerCall<>(call) {
                        @Override
                        public void sendHeaders(Metadata fields) {
                            fields.put(TOKEN, token);
                            super.sendHeaders(fields);
                        }

                        @Override
                        public void close(Status status, Metadata trailers) {
                            trailers.put(TOKEN, token);
                            super.close(status, trailers);
                        }
                    },
                    head);
        }
    }
}
