package gateway.app.grpc;

import gateway.app.AdminClient;
import gateway.app.Gateway;
import gateway.app.Settings;
import gateway.json.Json;
import gateway.wire.tls.TestAuthority;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// A whole gateway that serves HTTP/2 on both of its listeners, its operator, and clients of grpc-java.
final class GrpcGateway implements AutoCloseable {
    private final Path folder;
    private final TestAuthority authority;
    private final Gateway gateway;
    private final AdminClient admin;
    private final List<ManagedChannel> channels = new ArrayList<>();

    private GrpcGateway(Path folder, TestAuthority authority, Gateway gateway) {
        this.folder = folder;
        this.authority = authority;
        this.gateway = gateway;
        this.admin = AdminClient.of(
                URI.create("http:/" + gateway.adminAddress()),
                gateway.adminToken().reveal());
    }

    /// @param settings beside those of every test
    static GrpcGateway start(Path folder, Map<String, String> settings) {
        var authority = new TestAuthority();
        Path certificate = authority.issue("localhost", "localhost").write(folder.resolve("listener.pem"));
        var all = new HashMap<>(Map.of(
                "GATEWAY_LISTEN", "127.0.0.1:0",
                "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                "GATEWAY_TLS_LISTEN", "127.0.0.1:0",
                "GATEWAY_TLS_CERTIFICATES", certificate.toString(),
                "GATEWAY_HTTP2", "all",
                "GATEWAY_IO_THREADS", "1",
                "GATEWAY_DATA", folder.resolve("data").toString(),
                "GATEWAY_TRAFFIC_LOG", "file",
                "GATEWAY_TRAFFIC_LOG_FILE", folder.resolve("traffic.ndjson").toString()));
        all.putAll(settings);
        return new GrpcGateway(folder, authority, Gateway.start(Settings.read(Optional.empty(), all)));
    }

    AdminClient admin() {
        return admin;
    }

    InetSocketAddress address() {
        return gateway.address();
    }

    /// A new connection with prior knowledge.
    ManagedChannel plain() {
        return kept(builder(gateway.address()).usePlaintext().build());
    }

    /// A new connection whose HTTP/2 is agreed on by ALPN.
    ManagedChannel secure() {
        try {
            var trust = GrpcSslContexts.forClient()
                    .trustManager(authority.certificate())
                    .build();
            return kept(builder(gateway.secureAddress().orElseThrow())
                    .overrideAuthority("localhost")
                    .sslContext(trust)
                    .build());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A client that speaks HTTP/2 and no gRPC, and trusts the gateway.
    HttpClient https() {
        return HttpClient.newBuilder().sslContext(authority.client()).build();
    }

    URI secureUri(String path) {
        return URI.create(
                "https://localhost:" + gateway.secureAddress().orElseThrow().getPort() + path);
    }

    private static NettyChannelBuilder builder(InetSocketAddress address) {
        return NettyChannelBuilder.forAddress(address).maxInboundMessageSize(64 << 20);
    }

    private ManagedChannel kept(ManagedChannel channel) {
        channels.add(channel);
        return channel;
    }

    /// `channel` whose calls carry these metadata: name, value, name, value …
    static Channel with(Channel channel, String... metadata) {
        var all = new Metadata();
        for (int i = 0; i < metadata.length; i += 2) {
            all.put(Metadata.Key.of(metadata[i], Metadata.ASCII_STRING_MARSHALLER), metadata[i + 1]);
        }
        return with(channel, all);
    }

    static Channel with(Channel channel, Metadata metadata) {
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(metadata));
    }

    /// Makes an API.
    ///
    /// @param path that it matches
    /// @param policies their JSON objects
    /// @param upstream further members of its upstream's JSON object
    /// @param urls of its targets
    void define(String id, String path, String policies, String upstream, String... urls) throws Exception {
        admin.call("POST", "/apis", definition(id, path, policies, upstream, urls));
    }

    void redefine(String id, String path, String policies, String upstream, String... urls) throws Exception {
        admin.call("PUT", "/apis/" + id, definition(id, path, policies, upstream, urls));
    }

    private static String definition(String id, String path, String policies, String upstream, String... urls) {
        String targets = Stream.of(urls).map("{\"url\": \"%s\"}"::formatted).collect(Collectors.joining(", "));
        return """
                {"id": "%s", "match": {"path": "%s"}, "policies": [%s],
                 "upstream": {"targets": [%s]%s}}""".formatted(id, path, policies, targets, upstream.isEmpty() ? "" : ", " + upstream);
    }

    /// One unary call that has long to come back.
    static String call(Channel channel, MethodDescriptor<String, String> method, String message) {
        return ClientCalls.blockingUnaryCall(
                channel, method, CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS), message);
    }

    /// The records of calls in the traffic log, once the gateway is closed. Of calls alone: what else runs on this
    /// machine may knock at the port.
    List<JsonNode> records() throws IOException {
        return Files.readAllLines(folder.resolve("traffic.ndjson")).stream()
                .map(Json::parse)
                .filter(record -> record.at("/url/path").asString().startsWith("/" + Echo.SERVICE))
                .toList();
    }

    /// Closes the clients and the gateway; a second call does nothing.
    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
        admin.close();
        gateway.close();
    }
}
