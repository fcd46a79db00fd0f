package gateway.wire.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import gateway.wire.io.LingeringClose;
import gateway.wire.io.Sockets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.conduits.AbstractStreamSourceConduit;
import org.xnio.conduits.ConduitReadableByteChannel;
import org.xnio.conduits.StreamSourceConduit;

/// Scans what a client sends where it was read into, hands on one head or some content at a time, and keeps the rest
/// until the reader comes again: what has not come whole, and what follows. Keeps a refused request from whoever reads
/// here. See [StrictRequests].
///
/// A head goes on with `/` for its target, and with 1.1 for a later version of HTTP/1 (RFC 9110 §2.5).
final class StrictSourceConduit extends AbstractStreamSourceConduit<StreamSourceConduit> implements RequestGuard {
    private static final int MINOR = " HTTP/1.".length(); // so far behind the target the minor version stands
    private static final int AGAIN = -2; // nothing may go on yet: what has come is held

    private final BegunSinkConduit sink;
    private final StreamConnection connection;
    private final StrictRequests rules;
    private final HeadRoom room;
    private final RequestScanner scanner;
    private final int mostAhead;
    private final HeldOctets held = new HeldOctets();
    private SentTarget target = SentTarget.ROOT;
    private int head; // octets held that are the rest of a head: it goes on alone
    private int passable; // octets held that may go on, with those of the head
    private boolean unseen; // octets are held that the scanner has not been shown
    private long requestBytes; // that the request under way takes
    private @Nullable String requestId; // of the request under way
    private @Nullable Refusal refusal;
    private @Nullable LingeringClose closing; // once turned away, the connection is in its hands

    StrictSourceConduit(
            StreamSourceConduit next,
            BegunSinkConduit sink,
            StreamConnection connection,
            WireLimits limits,
            StrictRequests rules,
            HeadRoom room) {
        super(next);
        this.sink = sink;
        this.connection = connection;
        this.rules = rules;
        this.room = room;
        this.scanner = new RequestScanner(limits);
        this.mostAhead = limits.headBytes();
    }

    @Override
    public SentTarget target() {
        return target;
    }

    @Override
    public boolean holdsMore() {
        return refusal != null || !held.isEmpty();
    }

    @Override
    public int contentHeld() {
        return passable - head;
    }

    @Override
    public boolean refuses() {
        return refusal != null;
    }

    @Override
    public boolean readsAhead() {
        return refusal == null && held.count() < mostAhead;
    }

    @Override
    public int readAhead(ByteBuffer scratch) throws IOException {
        int from = scratch.position();
        scratch.limit(Math.min(scratch.limit(), from + mostAhead - held.count()));
        int count = next.read(scratch);
        if (count <= 0) return count;
        held.keep(scratch, from, from + count);
        unseen = true;
        return takeRoom() ? count : -1;
    }

    @Override
    public void requestBegins(String id) {
        requestId = id;
    }

    @Override
    public void requestOver() {
        requestId = null;
        requestBytes = 0;
        room.requestOver();
        takeRoom();
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int count = AGAIN;
        while (count == AGAIN) {
            if (passable > 0) return pass(into);
            if (refusal != null) return turnAway(refusal);
            if (scanner.atMessageStart()) sink.reset();
            count = held.isEmpty() ? direct(into) : byWayOfHeld(into);
        }
        if (!held.isEmpty() && !isNews() && scanner.inHead()) room.headBegun();
        return count;
    }

    /// Reads where the reader wants it: the usual way, without a copy.
    private int direct(ByteBuffer into) throws IOException {
        int from = into.position();
        int count = next.read(into);
        if (count <= 0) return count;
        int end = from + count;
        into.position(from);
        int begin = scanner.afterEmptyLine(into, from, end);
        if (begin > from) {
            held.keep(into, begin, end);
            unseen = begin < end;
            return AGAIN;
        }
        int to = scanner.scan(into, from, end);
        if (isRefused()) return AGAIN;
        int headEnd = scanner.headEnd();
        int mine = headEnd < 0 ? to : headEnd;
        held.keep(into, mine, end);
        passable = to - mine;
        unseen = scanner.isOver() && to < end;
        if (headEnd >= 0) mine = cut(into, from, headEnd);
        if (!settled(headEnd >= 0)) return AGAIN;
        into.position(mine);
        return mine > from ? mine - from : AGAIN;
    }

    /// Adds to what is held, and looks at that; `into` is but the way.
    private int byWayOfHeld(ByteBuffer into) throws IOException {
        if (!unseen) {
            int from = into.position();
            int count = next.read(into);
            into.position(from);
            if (count <= 0) return count;
            held.keep(into, from, from + count);
        }
        ByteBuffer octets = held.buffer();
        held.drop(scanner.afterEmptyLine(octets, held.from(), held.to()) - held.from());
        int to = scanner.scan(octets, held.from(), held.to());
        if (isRefused()) return AGAIN;
        passable = to - held.from();
        unseen = scanner.isOver() && to < held.to();
        boolean whole = scanner.headEnd() >= 0;
        if (whole) cutHeld(scanner.headEnd() - held.from());
        settled(whole);
        return AGAIN;
    }

    /// Whether nothing of what is looked at goes on, not even a head.
    private boolean isRefused() {
        refusal = scanner.refusal();
        boolean nothing = refusal != null && scanner.headEnd() < 0;
        if (nothing) forget();
        return nothing;
    }

    private void forget() {
        held.clear();
        passable = 0;
        head = 0;
        unseen = false;
        takeRoom();
    }

    private SentTarget target(String sent) {
        SentTarget read = SentTarget.of(sent);
        return scanner.isOfServer() ? read.at(SentTarget.SERVER) : read;
    }

    /// Puts `/` in the place of the target, and moves the rest of the head up to it.
    ///
    /// @return where the head ends now
    private int cut(ByteBuffer octets, int from, int headEnd) {
        int targetFrom = from + scanner.targetFrom();
        int targetTo = from + scanner.targetTo();
        byte[] sent = new byte[targetTo - targetFrom];
        octets.get(targetFrom, sent);
        target = target(new String(sent, ISO_8859_1));
        if (scanner.isLater()) octets.put(targetTo + MINOR, (byte) '1');
        octets.put(targetFrom, (byte) '/');
        if (sent.length > 1) octets.put(targetFrom + 1, octets, targetTo, headEnd - targetTo);
        return headEnd - sent.length + 1;
    }

    private void cutHeld(int headEnd) {
        int kept = scanner.targetFrom() + 1;
        int targetTo = scanner.targetTo();
        target = target(held.text(kept - 1, targetTo));
        if (scanner.isLater()) held.set(targetTo + MINOR, '1');
        held.set(kept - 1, '/');
        held.cut(kept, targetTo);
        head = headEnd - targetTo + kept;
        passable -= targetTo - kept;
    }

    /// Has the room that is needed now; if not, the request is refused.
    ///
    /// @param headWhole whether a head has just come whole
    private boolean settled(boolean headWhole) {
        if (headWhole || scanner.isOver()) {
            int asked = scanner.targetTo() - scanner.targetFrom();
            requestBytes = HeadCost.ofRequest(scanner.fieldBytes(), scanner.fieldLines(), asked);
        }
        if (!takeRoom()) {
            refusal = Refusal.MEMORY;
            requestBytes = 0;
            forget();
            return false;
        }
        if (headWhole) room.headWhole();
        return true;
    }

    /// The parser keeps a text as long as the longest line, doubled as it grows.
    private boolean takeRoom() {
        return room.hold(held.heapBytes() + requestBytes + 2L * scanner.longestLine());
    }

    private int pass(ByteBuffer into) {
        int count = Math.min(head > 0 ? head : passable, into.remaining());
        held.moveInto(into, count);
        passable -= count;
        boolean content = head == 0;
        head = content ? 0 : head - count;
        if (held.isEmpty()) takeRoom();
        if (content && passable > 0 && next.isReadResumed()) next.wakeupReads(); // the socket will not tell of it
        return count;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            if (targets[i].hasRemaining()) return read(targets[i]); // one is enough: readers come again for more
        }
        return 0;
    }

    @Override
    public long transferTo(long position, long count, FileChannel into) throws IOException {
        return into.transferFrom(new ConduitReadableByteChannel(this), position, count);
    }

    @Override
    public long transferTo(long count, ByteBuffer through, StreamSinkChannel into) throws IOException {
        return IoUtils.transfer(new ConduitReadableByteChannel(this), count, through, into);
    }

    @Override
    public boolean isReadShutdown() {
        return !isNews() && next.isReadShutdown();
    }

    /// Whether a read finds something, whatever the socket has.
    private boolean isNews() {
        return refusal != null || passable > 0 || unseen;
    }

    @Override
    public void resumeReads() {
        if (closing != null) return;
        if (isNews()) next.wakeupReads(); // nothing more need come
        else next.resumeReads();
    }

    @Override
    public void suspendReads() {
        if (closing == null) next.suspendReads();
    }

    @Override
    public void wakeupReads() {
        if (closing == null) next.wakeupReads();
    }

    private int turnAway(Refusal why) throws IOException {
        forget(); // what came behind a sound head
        if (scanner.refusedInContent()) { // each time: who drains the body must not wait for more of it
            throw closing == null ? broken(why) : new MalformedRequestException(why);
        }
        if (closing != null) return 0;
        closing = new LingeringClose(connection, next);
        connection.getIoThread().execute(() -> answer(why)); // after the reader has seen that there is nothing to read
        return 0;
    }

    private void answer(Refusal why) {
        try {
            rules.answer(why, requestId).send(sink);
            if (why == Refusal.MEMORY) Sockets.close(connection); // lingering takes some
            else if (closing != null) closing.begin();
        } catch (IOException e) {
            Sockets.close(connection); // the client is gone
        }
    }

    /// The reader closes the connection on this exception, so what has arrived is read first: an unread rest would
    /// reset the connection and take the answer with it.
    private MalformedRequestException broken(Refusal why) {
        closing = new LingeringClose(connection, next);
        try {
            if (!sink.begun()) rules.answer(why, requestId).send(sink);
            closing.discard();
        } catch (IOException e) {
            Sockets.close(connection); // the client is gone
        }
        return new MalformedRequestException(why);
    }
}
