package gateway.app.proxy;

import gateway.capture.BodyCapture;
import gateway.http.Body;
import gateway.http.HeldBody;
import gateway.http.PassingBody;
import gateway.http.PieceChangeException;
import gateway.http.Response;
import gateway.wire.client.PassingAnswer;
import gateway.wire.client.StreamedBody;
import gateway.wire.io.FieldView;
import gateway.wire.io.HeadWriter;
import gateway.wire.io.HttpDate;
import gateway.wire.io.HttpTransaction;
import gateway.wire.io.HttpVersion;
import io.undertow.server.Connectors;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.Methods;
import io.undertow.util.StatusCodes;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.xnio.ChannelListener;
import org.xnio.channels.StreamSinkChannel;

/// Writes one response to the client, as fast as the client takes it and the upstream gives it. Runs on the IO thread,
/// in event callbacks.
///
/// Content of known length goes straight to the socket behind a head made here ([AnswerHead]); all else, chunked
/// content and answers without content, through the channel of the protocol.
final class ResponseWriter implements Runnable, ChannelListener<StreamSinkChannel> {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int ROUNDS = 64;
    private static final int SMALL = 16 * 1024;
    private static final long FRAMED = -1; // the length of what the protocol's own channel frames

    private final RequestRun run;
    private final HttpTransaction transaction;
    private final ClientRequest request;
    private final Response response;
    private @Nullable StreamSinkChannel sink;
    private @Nullable StreamedBody streamed;
    private @Nullable ByteBuffer taken;
    private ByteBuffer head = NOTHING;
    private ByteBuffer held = NOTHING;
    private boolean straight;
    private boolean awaitsWritable;
    private boolean shut;
    private boolean restDiscarded;
    private @Nullable ClientWait wait;
    private @Nullable BodyCapture capture;

    ResponseWriter(RequestRun run, ClientRequest request, Response response) {
        this.run = run;
        this.transaction = request.transaction();
        this.request = request;
        this.response = response;
    }

    /// Turns a body of a policy's own kind into bytes, on the request thread, where it may block.
    static Response ready(Response made) {
        Body body = made.body();
        if (body instanceof HeldBody) return made;
        if (body instanceof PassingBody passing) return made.carrying(PassingAnswer.of(passing));
        if (body instanceof StreamedBody stream && !stream.ended()) return made; // ended: some policy has read it
        return made.holding(Body.of(body.bytes(Integer.MAX_VALUE)));
    }

    void start() {
        transaction.status(response.sentStatus());
        HeaderMap fields = fields();
        fields.put(RequestFields.REQUEST_ID, request.exchange().requestId());
        if (transaction.version() == HttpVersion.HTTP_1_0) fields.remove(Headers.TRAILER); // it has no place for any
        if (!fields.contains(Headers.DATE)) fields.put(Headers.DATE, HttpDate.now());
        if (request.content().continueDue()) transaction.endsConnection(); // the body may or may not come
        if (run.isLast()) transaction.endsConnection();
        if (response.status() == StatusCodes.REQUEST_TIME_OUT) transaction.endsConnection(); // RFC 9110 §15.5.9
        if (leavesMuchUnread()) transaction.endsConnection(); // and says so (RFC 9112 §9.6)
        capture = run.capture(fields);
        long length = frame(fields);
        StreamSinkChannel socket = transaction.straight();
        if (length == FRAMED || socket == null) {
            if (length >= 0) fields.put(Headers.CONTENT_LENGTH, length);
            else if (streamed == null && AnswerHead.isKeptOpen(transaction))
                fields.put(Headers.CONNECTION, "keep-alive");
            sink = transaction.responseContent();
        } else {
            straight = true;
            sink = socket;
            encode(fields, length);
        }
        request.progress().answering();
        run();
        if (sink != null
                && request.connection().readsWhileAnswering()
                && !request.progress().hasCalled()) discardRest();
    }

    /// Whether more is left of the request's body than is read away, so that the connection ends behind the answer.
    private boolean leavesMuchUnread() {
        RequestContent content = request.ownContent();
        return content != null
                && content.length() > UnreadBody.MOST
                && !transaction.isRequestRead()
                && !request.progress().hasCalled();
    }

    /// Nobody reads what is left of the request's body.
    private void discardRest() {
        RequestContent content = request.ownContent();
        if (restDiscarded || content == null || transaction.isRequestRead()) return;
        restDiscarded = true;
        new UnreadBody(run, request, content).discard();
    }

    @SuppressWarnings("ReferenceEquality") // whether it is the exchange's own map
    private HeaderMap fields() {
        HeaderMap fields = transaction.responseFields();
        if (response.headers() instanceof FieldView view && view.map() == fields) return fields;
        fields.clear();
        response.headers().forEach((name, value) -> fields.add(HttpString.tryFromString(name), value));
        fields.remove(Headers.CONNECTION);
        fields.remove(Headers.TRANSFER_ENCODING);
        return fields;
    }

    /// Decides how the client sees the body's end: the length of what goes straight to it, or [#FRAMED].
    private long frame(HeaderMap fields) {
        boolean toHead = transaction.method().equals(Methods.HEAD_STRING);
        if (!Connectors.isEntityBodyAllowed(response.sentStatus())) {
            if (!toHead || transaction.straight() == null) return FRAMED;
            held = ByteBuffer.allocate(0); // Undertow would announce chunks, which is forbidden (RFC 9112 §6.1)
            return AnswerHead.WITHOUT_CONTENT;
        }
        if (response.body() instanceof StreamedBody stream) {
            long length = stream.length().orElse(-1);
            if (!toHead) streamed = stream;
            if (length < 0) fields.remove(Headers.CONTENT_LENGTH);
            if (length < 0 && !toHead && transaction.version() == HttpVersion.HTTP_1_1)
                fields.put(Headers.TRANSFER_ENCODING, "chunked"); // else a last answer ends by close, without trailers
            if (length < 0 || !toHead) return length;
            if (!fields.contains(Headers.CONTENT_LENGTH)) fields.put(Headers.CONTENT_LENGTH, length);
            return FRAMED;
        }
        byte[] content = response.body() instanceof HeldBody whole ? whole.content() : new byte[0];
        if (toHead) {
            if (content.length > 0) fields.put(Headers.CONTENT_LENGTH, content.length);
            return FRAMED;
        }
        held = ByteBuffer.wrap(content);
        fields.remove(Headers.TRAILER); // nothing comes behind it
        return content.length;
    }

    private void encode(HeaderMap fields, long length) {
        HeadWriter text = AnswerHead.write(request.ioThread().headWriter(), transaction, fields, length);
        taken = request.ioThread().buffers().take();
        head = taken;
        if (text.length() > head.capacity()) {
            free();
            head = ByteBuffer.allocate(text.length());
        }
        text.copyTo(head);
        head.flip();
    }

    /// The exchange is over: nothing more is written.
    void stop() {
        sink = null;
        waitsNot();
        free();
    }

    private void free() {
        head = NOTHING;
        if (taken != null) request.ioThread().buffers().giveBack(taken);
        taken = null;
    }

    @Override
    public void handleEvent(StreamSinkChannel channel) {
        waitsNot();
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
            else if (write(to, held)) end(to);
        } catch (IOException e) {
            run.close(); // the client is gone
        } catch (PieceChangeException e) {
            if (sink != null) run.fail(e); // else the exchange ended meanwhile, and this is only how it is seen here
        }
    }

    /// Writes what is left of the head, and `content` behind it; false when the client takes no more for now.
    private boolean write(StreamSinkChannel to, ByteBuffer content) throws IOException {
        while (head.hasRemaining() || content.hasRemaining()) {
            long count = step(to, content);
            if (!head.hasRemaining()) free();
            if (count > 0) continue;
            awaitWritable(to);
            return false;
        }
        free();
        return true;
    }

    private long step(StreamSinkChannel to, ByteBuffer content) throws IOException {
        int start = content.position();
        long count = straight && head.hasRemaining() ? to.write(new ByteBuffer[] {head, content}) : to.write(content);
        int taken = content.position() - start;
        request.progress().sent(taken);
        if (capture != null) capture.add(content, start, taken);
        return count;
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
            boolean yields = !content.hasRemaining();
            if (!write(to, content)) return;
            if (yields) break;
        }
        awaitWritable(to); // others have their turn first: a task that posts itself would leave them none
    }

    private void finishStream(StreamSinkChannel to, StreamedBody from) throws IOException {
        HeaderMap trailers = from.trailers();
        if (trailers != null) request.apply(trailers);
        if (trailers != null && trailers.size() > 0) transaction.responseTrailers(trailers);
        end(to);
    }

    /// Nothing from the upstream for now: what the client may have already goes out.
    private void awaitContent(StreamSinkChannel to) throws IOException {
        if (!write(to, NOTHING)) return;
        stopAwaitingWritable(to);
        if (!to.flush()) awaitWritable(to);
    }

    private void awaitWritable(StreamSinkChannel to) {
        keepLittle();
        if (wait == null) wait = new ClientWait(request, ClientWait.Direction.DOWNLOAD, this::broken, this::giveUp);
        wait.begin(request.progress().content());
        awaitsWritable = true;
        to.getWriteSetter().set(this);
        to.resumeWrites();
    }

    /// What waits for a slow client keeps neither a buffer of the IO thread nor, where it is little, the upstream.
    private void keepLittle() {
        if (taken != null) {
            ByteBuffer rest = ByteBuffer.allocate(head.remaining()).put(head).flip();
            free();
            head = rest;
        }
        if (streamed == null) return;
        long left = streamed.length().orElse(SMALL) - request.progress().content();
        if (left > 0 && left <= SMALL) streamed.readAhead(SMALL);
    }

    private boolean broken() {
        return streamed != null && streamed.broken();
    }

    /// The client does not take what it asked for, or there is no rest for it to take.
    private void giveUp() {
        if (broken()) run.breakOff();
        else run.giveUp();
    }

    private void stopAwaitingWritable(StreamSinkChannel to) {
        waitsNot();
        if (!awaitsWritable) return;
        awaitsWritable = false;
        to.suspendWrites();
    }

    private void waitsNot() {
        if (wait != null) wait.end();
    }

    private void end(StreamSinkChannel to) throws IOException {
        if (straight) {
            stopAwaitingWritable(to);
            answered();
            return;
        }
        shut = true;
        to.shutdownWrites();
        flush(to);
    }

    private void flush(StreamSinkChannel to) throws IOException {
        if (to.flush()) answered();
        else awaitWritable(to);
    }

    private void answered() {
        sink = null;
        waitsNot();
        request.progress().answered();
        boolean requestComplete = transaction.isRequestRead();
        if (straight) transaction.straightSent(); // may begin the connection's next request
        if (requestComplete) return;
        if (!request.progress().clientAwaited()) { // to the end: reading away is no work
            request.progress().cancelCall(); // that still takes what comes, and has no file to wait with
            request.progress().clientAwaited();
        }
        discardRest();
    }
}
