package gateway.app.steering;

import gateway.http.Headers;
import gateway.http.Response;
import gateway.wire.client.ClientSide;
import gateway.wire.client.Handshake;
import gateway.wire.client.IoThreadResources;
import gateway.wire.client.SentContent;
import gateway.wire.client.UpstreamCall;
import gateway.wire.io.FieldView;
import gateway.wire.memory.Budget;
import gateway.wire.memory.Holding;
import gateway.wire.memory.Kind;
import io.undertow.util.HeaderMap;
import io.undertow.util.HeaderValues;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The client's side of a request that is sent without one: nothing is told to anybody and nobody leaves. It lives on
/// when the request that it was copied from is over.
///
/// @param responseFields where the fields of the answer go; of a mirrored request nobody reads them
/// @param bodies what is held of the answer
record AbsentClient(
        IoThreadResources ioThread,
        HeaderMap requestFields,
        HeaderMap responseFields,
        Headers responseHeaders,
        Holding bodies)
        implements ClientSide {
    /// One on the same IO thread, with a copy of the request's fields; to be made on the request thread.
    static AbsentClient besides(ClientSide client) {
        var fields = new HeaderMap();
        for (HeaderValues values : client.requestFields()) fields.addAll(values.getHeaderName(), values);
        return new AbsentClient(
                client.ioThread(),
                fields,
                new HeaderMap(),
                Response.of(200).headers(),
                new Holding(client.ioThread().purse(Kind.BODIES)));
    }

    /// Of a request that nobody has sent, whose answer's fields are [#responseHeaders]; made on any thread.
    static AbsentClient on(IoThreadResources ioThread, HeaderMap requestFields) {
        var answered = new HeaderMap();
        return new AbsentClient(
                ioThread, requestFields, answered, new FieldView(answered), new Holding(ioThread.purse(Kind.BODIES)));
    }

    /// [#requestFields] as policies see them.
    Headers requestHeaders() {
        return new FieldView(requestFields);
    }

    /// What bodies draw on, for any thread.
    Budget memory() {
        return ioThread.purse(Kind.BODIES).budget();
    }

    @Override
    public void onIoThread(Runnable work) {
        ioThread.io().execute(work);
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
    public void calling(UpstreamCall call) {}

    @Override
    public String upstream() {
        return "";
    }
}
