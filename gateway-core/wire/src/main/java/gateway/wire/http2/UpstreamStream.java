package gateway.wire.http2;

import io.undertow.util.HeaderMap;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// One request and its answer on a connection to an upstream. Used on the connection's IO thread.
///
/// Content of the answer is kept until it is asked for, at most a window full: a user that takes none holds back its
/// own stream and no other.
public final class UpstreamStream implements Windows.Stream {
    static final int WINDOW = Windows.INITIAL; // no setting says otherwise

    private final UpstreamSession session;
    private final int id;
    private final StreamUser user;
    private final Received received;
    private final boolean toHead;
    private long window;
    private long headAt;
    private int uncredited;
    private long arrived;
    private long contentLength = -1;
    private long interimBytes;
    private boolean headCame;
    private boolean blocked; // by its own window
    private boolean queued;
    private boolean localEnded;
    private boolean remoteEnded;
    private boolean over; // for the connection
    private boolean left; // by its user
    private @Nullable HeaderMap trailers;

    UpstreamStream(UpstreamSession session, int id, StreamUser user, long window, boolean toHead) {
        this.session = session;
        this.id = id;
        this.user = user;
        this.window = window;
        this.toHead = toHead;
        this.received = new Received(session.buffers());
    }

    int id() {
        return id;
    }

    /// Sends the request's head.
    void begin(HeaderMap head, boolean last) {
        headAt = session.output().appended();
        session.writer().head(id, head, last);
        localEnded = last;
    }

    /// Takes of `content` what the server lets it; the user is told when it lets it take more.
    public void write(ByteBuffer content) {
        while (content.hasRemaining() && !over) {
            long allowed = Math.min(
                    Math.min(window, session.window()), session.output().room());
            int count = (int) Math.min(Math.min(allowed, content.remaining()), Frame.MAX_PAYLOAD);
            if (count <= 0) {
                if (window > 0) queue();
                else blocked = true;
                return;
            }
            session.writer().content(id, content, count);
            window -= count;
            session.sent(count);
        }
    }

    /// The request ends here.
    ///
    /// @param fields trailers; null: none
    public void end(@Nullable HeaderMap fields) {
        if (over || localEnded) return;
        localEnded = true;
        if (fields != null && fields.size() > 0) session.writer().head(id, fields, true);
        else session.writer().endContent(id);
        if (remoteEnded) finish();
    }

    /// Content at hand, to be taken by moving the position, until asked again; null when none is here now.
    public @Nullable ByteBuffer content() {
        credit(received.takeBack());
        return received.lend();
    }

    /// Whether no content follows what [#content] gives.
    public boolean ended() {
        return remoteEnded;
    }

    /// Trailer fields, once [#ended]; null when there were none.
    public @Nullable HeaderMap trailers() {
        return trailers;
    }

    /// The user takes no more, nor sends any: what is not complete is cancelled.
    public void leave() {
        if (left) return;
        left = true;
        reset(ErrorCode.CANCEL);
        received.release();
    }

    /// The server keeps silent: looks whether it is there at all.
    public void suspect() {
        session.suspect();
    }

    /// A client has had no patience with the server: looks, now and then, whether it is there at all.
    public void doubt() {
        session.doubt();
    }

    void reset(ErrorCode why) {
        if (over) return;
        session.writer().reset(id, why);
        finish();
    }

    private void finish() {
        over = true;
        session.ended(this);
    }

    private void credit(int count) {
        uncredited += count;
        if (over || remoteEnded || uncredited < WINDOW / 2) return;
        session.writer().windowUpdate(id, uncredited);
        uncredited = 0;
    }

    private void queue() {
        if (queued) return;
        queued = true;
        session.waiting().add(this);
    }

    /// The session lets it write again.
    void wake() {
        queued = false;
        if (!over && !localEnded) user.writable();
    }

    @Override
    public boolean widen(long by) {
        window += by;
        if (!Windows.mayBe(window)) return false;
        if (window > 0 && blocked) {
            blocked = false;
            queue();
        }
        return true;
    }

    /// Bytes of content that the server might still send when the stream was left, or had sent already.
    int underWay() {
        return remoteEnded ? 0 : WINDOW - received.size() - uncredited;
    }

    boolean headCame() {
        return headCame;
    }

    HeaderMap responseFields() {
        return user.responseFields();
    }

    void head(AnswerSection head, boolean last) {
        String flaw = head.flaw();
        if (flaw == null && head.interim() && last) flaw = "an interim head that ends the stream";
        boolean bare = toHead || head.status() == 204 || head.status() == 304;
        if (flaw == null && last && !bare && head.contentLength() > 0) flaw = "less content than announced";
        if (flaw != null) {
            malformed(flaw);
        } else if (head.interim()) {
            interimBytes += head.bytes();
            if (interimBytes > AnswerSection.MOST_BYTES) malformed("interim answers without end");
            else user.interim(head.status(), head.fields());
        } else {
            headCame = true;
            contentLength = bare ? 0 : head.contentLength();
            if (last) remoteEnd();
            user.head(head.status(), head.contentLength(), last);
        }
    }

    void trailers(AnswerSection section, boolean last) {
        String flaw = section.flaw();
        if (flaw == null && !last) flaw = "trailers that do not end the stream";
        if (flaw == null && isCut()) flaw = "less content than announced";
        if (flaw != null) {
            malformed(flaw);
            return;
        }
        trailers = section.fields();
        remoteEnd();
        user.arrived();
    }

    /// @param flow bytes of the window that the frame takes, padding included
    void content(ByteBuffer content, int flow, boolean last) {
        int count = content.remaining();
        arrived += count;
        if (remoteEnded || !headCame) {
            malformed(headCame ? "content after the end" : "content without a head");
        } else if (received.size() + uncredited + flow > WINDOW) {
            fault(ErrorCode.FLOW_CONTROL_ERROR, "content past the window");
        } else if (contentLength >= 0 && arrived > contentLength) {
            malformed("more content than announced");
        } else if (last && isCut()) {
            malformed("less content than announced");
        } else {
            if (count > 0) received.add(content);
            if (flow > count) credit(flow - count);
            if (last) remoteEnd();
            if (count > 0 || last) user.arrived();
        }
    }

    private boolean isCut() {
        return contentLength >= 0 && arrived != contentLength;
    }

    private void remoteEnd() {
        remoteEnded = true;
        if (localEnded) finish();
    }

    /// The server has reset the stream.
    void wasReset(int code) {
        if (over) return;
        boolean refused = code == ErrorCode.REFUSED_STREAM.number();
        finish();
        if (remoteEnded) user.arrived(); // it wants no more of the request, and has answered
        else lost(refused ? Loss.refused("the upstream refused the request") : Loss.broken("the upstream broke off"));
    }

    private void malformed(String flaw) {
        fault(ErrorCode.PROTOCOL_ERROR, flaw);
    }

    /// The server has broken the protocol in this stream.
    void fault(ErrorCode code, String flaw) {
        session.leave();
        reset(code);
        lost(Loss.malformed(flaw));
    }

    /// The connection ends, or does not serve this stream any more.
    void connectionLost(Loss why) {
        if (over) return;
        boolean unsent = session.output().sent() <= headAt;
        over = true;
        session.ended(this);
        if (remoteEnded) user.arrived();
        else lost(unsent ? Loss.missed(why.message()) : why);
    }

    private void lost(Loss why) {
        if (left) return;
        left = true;
        received.release();
        user.lost(why);
    }
}
