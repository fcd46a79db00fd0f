package gateway.http;

import gateway.http.PieceStation.After;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// A body on whose way policies stand that see or change its pieces: whoever sends it on leads each piece past them,
/// in one pass over the body. Used by one thread at a time.
public final class PassingBody implements Body {
    private static final int PIECE = 16 * 1024;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private Body source;
    private final List<PieceStation> stations;
    private final boolean changes;
    private final BodyMemory memory;
    private byte[] held = Body.EMPTY.content();
    private boolean isHeld;

    private PassingBody(Body source, List<PieceStation> stations, BodyMemory memory) {
        this.source = source;
        this.stations = stations;
        this.memory = memory;
        this.changes = changes(stations);
    }

    private static boolean changes(List<PieceStation> stations) {
        for (int i = 0; i < stations.size(); i++) if (stations.get(i).changes()) return true;
        return false;
    }

    /// `body` past one more station, behind those that it passes already.
    ///
    /// @param memory what [#bytes] takes, of what is changed
    public static PassingBody of(Body body, PieceStation last, BodyMemory memory) {
        if (!(body instanceof PassingBody passing)) return new PassingBody(body, List.of(last), memory);
        if (passing.isHeld) return new PassingBody(Body.of(passing.held), List.of(last), memory);
        var all = new ArrayList<>(passing.stations);
        all.add(last);
        return new PassingBody(passing.source, List.copyOf(all), memory);
    }

    /// What comes, before any station has seen it.
    public Body source() {
        return isHeld ? Body.of(held) : source;
    }

    /// All of the source is here now, and is led past the stations later.
    void arrived(HeldBody whole) {
        source = whole;
    }

    /// Whether other bytes go on than come.
    public boolean changes() {
        return changes;
    }

    /// Whether nothing is to be led past the stations any more: [#bytes] has done it.
    public boolean isHeld() {
        return isHeld;
    }

    /// What goes on of `piece`: itself where nobody changes it. Good until the next call.
    ///
    /// @throws PieceChangeException when a policy breaks
    public ByteBuffer pass(ByteBuffer piece) {
        return pass(piece, After.MORE);
    }

    /// What goes on now that nothing more is here for a while.
    public ByteBuffer pause() {
        return pass(NOTHING, After.PAUSE);
    }

    /// What goes on at the end.
    public ByteBuffer complete() {
        return pass(NOTHING, After.END);
    }

    private ByteBuffer pass(ByteBuffer piece, After after) {
        ByteBuffer next = piece;
        for (int i = 0; i < stations.size(); i++) next = stations.get(i).pass(next, after);
        return next;
    }

    /// Unknown where it is changed.
    @Override
    public OptionalLong length() {
        if (isHeld) return OptionalLong.of(held.length);
        return changes ? OptionalLong.empty() : source.length();
    }

    /// All that goes on, once all has come and has passed here, on the calling thread.
    ///
    /// @throws BodyTooLargeException when more than `max` bytes come or go on
    @Override
    public byte[] bytes(long max) {
        if (isHeld) {
            if (held.length > max) throw new BodyTooLargeException(max);
            return held;
        }
        byte[] whole = source.bytes(max);
        held = changes ? changed(whole, max) : whole;
        if (!changes) {
            pass(ByteBuffer.wrap(whole));
            complete();
        }
        isHeld = true;
        return held;
    }

    private byte[] changed(byte[] whole, long max) {
        var made = PlainBytes.of(max, max, memory);
        for (int at = 0; at < whole.length; at += PIECE) {
            add(pass(ByteBuffer.wrap(whole, at, Math.min(PIECE, whole.length - at))), made);
        }
        add(complete(), made);
        return made.whole();
    }

    private static void add(ByteBuffer piece, PlainBytes to) {
        to.add(piece.array(), piece.arrayOffset() + piece.position(), piece.remaining());
    }
}
