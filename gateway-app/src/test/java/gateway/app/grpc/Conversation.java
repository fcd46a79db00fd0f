package gateway.app.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// One call from its client's side, step by step. Messages come only when asked for.
public final class Conversation extends ClientCall.Listener<String> {
    private static final int PATIENCE_SECONDS = 60;

    private final ClientCall<String, String> call;
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final CompletableFuture<Metadata> head = new CompletableFuture<>();
    private final CompletableFuture<End> end = new CompletableFuture<>();

    /// How a call ended.
    public record End(Status status, Metadata trailers) {}

    private Conversation(ClientCall<String, String> call) {
        this.call = call;
    }

    public static Conversation begin(Channel channel, MethodDescriptor<String, String> method) {
        return begin(channel, method, CallOptions.DEFAULT);
    }

    static Conversation begin(Channel channel, MethodDescriptor<String, String> method, CallOptions options) {
        var conversation = new Conversation(channel.newCall(method, options));
        conversation.call.start(conversation, new Metadata());
        return conversation;
    }

    public Conversation say(String message) {
        call.sendMessage(message);
        return this;
    }

    /// Messages are compressed from now on.
    Conversation compress() {
        call.setMessageCompression(true);
        return this;
    }

    public Conversation sayNoMore() {
        call.halfClose();
        return this;
    }

    public Conversation ask(int count) {
        call.request(count);
        return this;
    }

    public void cancel() {
        call.cancel("no longer wanted", null);
    }

    /// The next message that was asked for.
    public String heard() throws InterruptedException {
        String message = messages.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (message == null) throw new AssertionError("no message");
        return message;
    }

    /// Whether a message would be sent rather than kept here.
    boolean isReady() {
        return call.isReady();
    }

    Metadata head() throws Exception {
        return head.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    public End end() throws Exception {
        return end.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void onHeaders(Metadata fields) {
        head.complete(fields);
    }

    @Override
    public void onMessage(String message) {
        messages.add(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        end.complete(new End(status, trailers));
    }
}
