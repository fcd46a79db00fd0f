package gateway.app.server;

import gateway.app.upstream.StreamedBody;
import gateway.http.Body;
import gateway.http.HeldBody;
import gateway.http.Response;
import io.undertow.server.Connectors;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpAttachments;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.Methods;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.xnio.ChannelListener;
import org.xnio.channels.StreamSinkChannel;

/// Writes one response to the client, as fast as the client takes it and the upstream gives it. Runs on the IO thread,
/// in
/// event callbacks.
final class ResponseWriter implements Runnable, ChannelListener<StreamSinkChannel> {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int ROUNDS = 64;

    private final RequestRun run;
    private final HttpServerExchange undertow;
    private final UndertowExchange exchange;
    private final Response response;
    private @Nullable StreamSinkChannel sink;
    private @Nullable StreamedBody streamed;
    private ByteBuffer held = NOTHING;
    private boolean shut;

    ResponseWriter(RequestRun run, HttpServerExchange undertow, UndertowExchange exchange, Response response) {
        this.run = run;
        this.undertow = undertow;
        this.exchange = exchange;
        this.response = response;
    }

    void start() {
        undertow.setStatusCode(response.status());
        HeaderMap fields = fields();
        fields.put(RequestFields.REQUEST_ID, exchange.requestId());
        frame(fields);
        if (exchange.expectsContinue()) undertow.setPersistent(false); // the body may or may not come
        sink = undertow.getResponseChannel();
        run();
    }

    @SuppressWarnings("ReferenceEquality") // whether it is the exchange's own map
    private HeaderMap fields() {
        HeaderMap fields = undertow.getResponseHeaders();
        if (response.headers() instanceof FieldView view && view.map() == fields) return fields;
        fields.clear();
        response.headers().forEach((name, value) -> fields.add(HttpString.tryFromString(name), value));
        fields.remove(Headers.CONNECTION);
        fields.remove(Headers.TRANSFER_ENCODING);
        return fields;
    }

    /// Decides how the client sees the body's end.
    private void frame(HeaderMap fields) {
        boolean toHead = undertow.getRequestMethod().equals(Methods.HEAD);
        Body body = response.body();
        if (!Connectors.isEntityBodyAllowed(response.status())) return;
        if (body instanceof StreamedBody stream) {
            long length = stream.length().orElse(-1);
            if (length < 0) fields.remove(Headers.CONTENT_LENGTH);
            else if (!fields.contains(Headers.CONTENT_LENGTH)) fields.put(Headers.CONTENT_LENGTH, length);
            if (!toHead) streamed = stream;
            return;
        }
        byte[] content = body instanceof HeldBody whole ? whole.content() : new byte[0];
        if (content.length > 0 || !toHead) fields.put(Headers.CONTENT_LENGTH, content.length);
        if (!toHead) held = ByteBuffer.wrap(content);
    }

    @Override
    public void handleEvent(StreamSinkChannel channel) {
        run();
    }

    /// Moves on as far as both sides let it.
    @Override
    public void run() {
        StreamSinkChannel to = sink;
        if (to == null) return;
        try {
            if (shut) flush(to);
            else if (streamed != null) pump(to, streamed);
            else writeHeld(to);
        } catch (IOException e) {
            run.close(); // the client is gone
        }
    }

    private void writeHeld(StreamSinkChannel to) throws IOException {
        while (held.hasRemaining()) {
            if (to.writeFinal(held) == 0) {
                awaitWritable(to);
                return;
            }
        }
        end(to);
    }

    private void pump(StreamSinkChannel to, StreamedBody from) throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            ByteBuffer content;
            try {
                content = from.next(this);
            } catch (IOException e) {
                run.breakOff();
                return;
            }
            if (content == null) {
                if (from.ended()) finishStream(to, from);
                else awaitContent(to);
                return;
            }
            while (content.hasRemaining()) {
                int count = from.last(content) ? to.writeFinal(content) : to.write(content);
                if (count == 0) {
                    awaitWritable(to);
                    return;
                }
            }
        }
        exchange.lane().io().execute(this); // others want their turn
    }

    private void finishStream(StreamSinkChannel to, StreamedBody from) throws IOException {
        HeaderMap trailers = from.trailers();
        if (trailers != null && trailers.size() > 0)
            undertow.putAttachment(HttpAttachments.RESPONSE_TRAILERS, trailers);
        end(to);
    }

    /// Nothing from the upstream for now: what the client may have already goes out.
    private void awaitContent(StreamSinkChannel to) throws IOException {
        to.suspendWrites();
        if (!to.flush()) awaitWritable(to);
    }

    private void awaitWritable(StreamSinkChannel to) {
        to.getWriteSetter().set(this);
        to.resumeWrites();
    }

    private void end(StreamSinkChannel to) throws IOException {
        shut = true;
        to.shutdownWrites();
        flush(to);
    }

    private void flush(StreamSinkChannel to) throws IOException {
        if (!to.flush()) {
            awaitWritable(to);
            return;
        }
        run.answered();
        if (!undertow.isRequestComplete()) new Leftover(run, undertow, exchange).discard();
    }
}
