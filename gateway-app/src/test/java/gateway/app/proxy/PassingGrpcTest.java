package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.grpc.Conversation;
import gateway.app.grpc.Echo;
import gateway.app.grpc.GrpcEchoServer;
import gateway.config.TargetDefinition;
import gateway.net.UpstreamProtocol;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// Calls between client and server of grpc-java through a policy that sees or changes both bodies on their way.
@ParameterizedClass
@ValueSource(booleans = {true, false})
@Timeout(60)
final class PassingGrpcTest {
    private static final int MIB = 1024 * 1024;

    @Parameter
    boolean changed;

    private final SeenPieces request = SeenPieces.keepingLengths();
    private final SeenPieces answer = SeenPieces.keepingLengths();
    private GrpcEchoServer server;
    private Http2Gateway gateway;
    private ManagedChannel channel;

    @BeforeEach
    void start() throws IOException {
        BodyAccess access = changed ? BodyAccess.streamed() : BodyAccess.watched();
        server = GrpcEchoServer.plain();
        gateway = Http2Gateway.inFrontOf(
                OneRoute.patientlyTo(new TargetDefinition(URI.create(server.url()), 1).by(UpstreamProtocol.H2C)),
                same -> same,
                SeenPieces.policy(new BodyUse(access, access), request, answer));
        channel = NettyChannelBuilder.forAddress(gateway.dataPlane().address())
                .usePlaintext()
                .build();
    }

    @AfterEach
    void stop() throws IOException {
        channel.shutdownNow();
        gateway.close();
        server.close();
    }

    private String passed(String message) {
        return changed ? message.toUpperCase(Locale.ROOT) : message;
    }

    @Test
    void a_unary_call_passes_with_its_status_and_its_trailers() throws Exception {
        byte[] token = {1, 2, 3};
        var head = new Metadata();
        head.put(GrpcEchoServer.TOKEN, token);
        Channel telling = ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(head));

        Conversation call =
                Conversation.begin(telling, Echo.UNARY).ask(2).say("hello").sayNoMore();

        assertThat(call.heard()).isEqualTo(passed("hello"));
        assertThat(call.end().status().isOk()).isTrue();
        assertThat(call.end().trailers().get(GrpcEchoServer.TOKEN)).isEqualTo(token);
        until(() -> !answer.ends().isEmpty());
        assertThat(request.content()).endsWith("hello");
        assertThat(answer.content()).endsWith(passed("hello"));
        assertThat(request.ends()).containsExactly("complete");
        assertThat(answer.ends()).containsExactly("complete");
    }

    @Test
    void messages_of_a_stream_pass_one_by_one_both_ways() throws Exception {
        Conversation chat = Conversation.begin(channel, Echo.CHAT).ask(10);
        for (int i = 0; i < 5; i++) assertThat(chat.say("hello " + i).heard()).isEqualTo(passed("hello " + i));
        assertThat(request.ends()).isEmpty();
        assertThat(answer.ends()).isEmpty();
        chat.sayNoMore();

        assertThat(chat.end().status().isOk()).isTrue();
        until(() -> !answer.ends().isEmpty());
        assertThat(request.ends()).containsExactly("complete");
        assertThat(answer.ends()).containsExactly("complete");
    }

    @Test
    void a_message_larger_than_any_window_passes_whole() throws Exception {
        Conversation call = Conversation.begin(channel, Echo.UNARY)
                .ask(2)
                .say("x".repeat(3 * MIB))
                .sayNoMore();

        assertThat(call.heard().equals(passed("x").repeat(3 * MIB))).isTrue();
        assertThat(call.end().status().isOk()).isTrue();
    }

    @Test
    void a_status_passes_behind_all_messages() throws Exception {
        Conversation call =
                Conversation.begin(channel, Echo.DOWNLOAD).ask(10).say("3 5").sayNoMore();

        for (int i = 0; i < 3; i++) assertThat(call.heard()).isEqualTo(passed("xxxxx"));
        assertThat(call.end().status().isOk()).isTrue();
        until(() -> !answer.ends().isEmpty());
        assertThat(answer.ends()).containsExactly("complete");
    }

    @Test
    void a_call_that_its_client_cancels_is_broken_once_each_way_and_cancelled_at_the_server() throws Exception {
        Conversation chat = Conversation.begin(channel, Echo.CHAT).ask(10);
        assertThat(chat.say("hello").heard()).isEqualTo(passed("hello"));

        chat.cancel();

        server.cancelled.acquire();
        until(() -> !request.ends().isEmpty() && !answer.ends().isEmpty());
        assertThat(chat.end().status().getCode()).isEqualTo(Status.Code.CANCELLED);
        assertThat(request.ends()).containsExactly("broken");
        assertThat(answer.ends()).containsExactly("broken");
    }

    @Test
    void a_server_that_dies_breaks_what_it_has_not_finished() throws Exception {
        Conversation chat = Conversation.begin(channel, Echo.CHAT).ask(10);
        assertThat(chat.say("hello").heard()).isEqualTo(passed("hello"));

        server.close();

        assertThat(chat.end().status().isOk()).isFalse();
        until(() -> !request.ends().isEmpty() && !answer.ends().isEmpty());
        assertThat(request.ends()).containsExactly("broken");
        assertThat(answer.ends()).containsExactly("broken");
    }
}
