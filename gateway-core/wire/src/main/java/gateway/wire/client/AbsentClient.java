package gateway.wire.client;

import gateway.http.FailureReason;
import gateway.http.Headers;
import gateway.http.UpstreamException;
import gateway.wire.io.FieldView;
import gateway.wire.io.HttpVersion;
import gateway.wire.memory.Budget;
import gateway.wire.memory.Holding;
import gateway.wire.memory.Kind;
import io.undertow.util.HeaderMap;
import io.undertow.util.HeaderValues;
import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// The client's side of a request that is sent without one: nothing is told to anybody and nobody leaves. It lives on
/// when the request that it was copied from is over.
public final class AbsentClient implements ClientSide {
    private final IoThreadResources ioThread;
    private final HeaderMap requestFields;
    private final @Nullable HttpVersion via;
    private final HeaderMap responseFields = new HeaderMap();
    private final Headers responseHeaders = new FieldView(responseFields);
    private final Holding bodies;
    private long taken; // of the memory for bodies, besides
    private volatile @Nullable UpstreamCall last;

    private AbsentClient(IoThreadResources ioThread, HeaderMap requestFields, @Nullable HttpVersion via) {
        this.ioThread = ioThread;
        this.requestFields = requestFields;
        this.via = via;
        this.bodies = new Holding(ioThread.purse(Kind.BODIES));
    }

    /// One on the same IO thread, with a copy of the request's fields; to be made on the request thread.
    public static AbsentClient besides(ClientSide client) {
        var fields = new HeaderMap();
        for (HeaderValues values : client.requestFields()) fields.addAll(values.getHeaderName(), values);
        return new AbsentClient(client.ioThread(), fields, client.via());
    }

    /// Of a request that nobody has sent; made on any thread.
    public static AbsentClient on(IoThreadResources ioThread, HeaderMap requestFields) {
        return new AbsentClient(ioThread, requestFields, null);
    }

    /// [#requestFields] as policies see them.
    public Headers requestHeaders() {
        return new FieldView(requestFields);
    }

    /// What bodies draw on, for any thread.
    public Budget memory() {
        return ioThread.purse(Kind.BODIES).budget();
    }

    @Override
    public void hold(long bytes) {
        if (!memory().take(bytes)) throw new UpstreamException(FailureReason.NO_ROOM, "no memory is left for the body");
        taken += bytes;
    }

    /// Nobody wants what still comes.
    public void cancel() {
        UpstreamCall call = last;
        if (call != null) onIoThread(call::cancel);
    }

    /// The request is over: what was held of its bodies is given back. Called once, by whoever works for it.
    public void release() {
        memory().giveBack(taken);
        onIoThread(bodies::release);
    }

    @Override
    public IoThreadResources ioThread() {
        return ioThread;
    }

    @Override
    public HeaderMap requestFields() {
        return requestFields;
    }

    @Override
    public @Nullable HttpVersion via() {
        return via;
    }

    @Override
    public HeaderMap responseFields() {
        return responseFields;
    }

    @Override
    public Headers responseHeaders() {
        return responseHeaders;
    }

    @Override
    public Holding bodies() {
        return bodies;
    }

    /// Once the process ends there is no IO thread any more, nor anything to be done there.
    @Override
    public void onIoThread(Runnable work) {
        try {
            ioThread.io().execute(work);
        } catch (RejectedExecutionException e) {
            return;
        }
    }

    @Override
    public SentContent content() {
        return SentContent.NONE;
    }

    @Override
    public @Nullable HeaderMap requestTrailers() {
        return null;
    }

    @Override
    public void sendContinue() {}

    @Override
    public boolean sendInterim(ByteBuffer head) {
        return true;
    }

    @Override
    public void awaitingAnswer() {}

    @Override
    public void waiting(Runnable leave) {}

    @Override
    public @Nullable Handshake handshake() {
        return null;
    }

    @Override
    public void upstreamTook(long nanos) {}

    @Override
    public void calling(UpstreamCall call) {
        last = call;
    }

    @Override
    public String upstream() {
        return "";
    }
}
