package gateway.app.traffic;

import java.nio.ByteBuffer;

/// The sound records in a segment, one after the other. Where one is damaged, reading goes on at the next place at
/// which a record stands that matches its checksum.
final class SegmentRecords {
    private static final int LONGEST_RECORD = 64 << 20;

    /// Bytes to look through for sound records, some of them many times: about a second. Random bytes would take hours.
    private static final long MOST_SEARCHED = 4L << 30;

    private final ByteBuffer content;
    private int damaged;
    private int damagedBytes;
    private boolean torn;
    private long searched;

    /// @param content a whole file; backed by an array
    SegmentRecords(ByteBuffer content) {
        this.content = content;
        ByteBuffer header = Segment.header();
        int same = header.mismatch(content);
        torn = same >= 0 && same < Segment.HEADER && same == content.limit();
        if (!torn && same >= 0 && same < Segment.HEADER) damaged(0, Math.min(Segment.HEADER, content.limit()), 1);
        content.position(Math.min(Segment.HEADER, content.limit()));
    }

    /// Moves to the next sound record, whose bytes begin at the position of the content; answers its length, or -1 when
    /// there is none. To be called again once the position is behind it.
    int next() {
        if (!content.hasRemaining()) return -1;
        int at = content.position();
        int found = firstSound(at);
        if (found < 0) {
            torn = isTorn(at);
            if (!torn) damaged(at, content.limit(), frames(at, content.limit()));
            content.position(content.limit());
            return -1;
        }
        if (found > at) damaged(at, found, frames(at, found));
        content.position(found + Segment.FRAME);
        return length(found);
    }

    /// Records that are damaged, one at least for each place, also where that is the head of the file.
    int damaged() {
        return damaged;
    }

    /// Bytes that belong to no sound record.
    int damagedBytes() {
        return damagedBytes;
    }

    /// Whether the file breaks off, as one does whose writing was under way when the process ended.
    boolean isTorn() {
        return torn;
    }

    /// What follows a damaged head is one place with it.
    private void damaged(int from, int to, int count) {
        damaged = from == Segment.HEADER ? count : damaged + count;
        damagedBytes += to - from;
    }

    /// Records between two places, as their lengths tell; one where these lead elsewhere.
    private int frames(int from, int to) {
        int count = 0;
        int at = from;
        while (at < to) {
            int length = length(at);
            if (length < 0) return 1;
            at += Segment.framed(length);
            count++;
        }
        return at == to ? count : 1;
    }

    /// Whether a record begins here for which the file is too short. With a damaged length a whole one looks the same,
    /// but for its checksum.
    private boolean isTorn(int at) {
        int left = content.limit() - at - Segment.FRAME;
        if (left < 0) return true;
        int length = content.getInt(at);
        return length > left && length <= LONGEST_RECORD && !matches(at, left);
    }

    /// Mostly right here, or right behind a record whose length is still what it was.
    private int firstSound(int from) {
        if (isSound(from)) return from;
        int length = length(from);
        if (length > 0 && isSound(from + Segment.framed(length))) return from + Segment.framed(length);
        searched = 0;
        for (int at = from + 1; at < content.limit() - Segment.FRAME && searched < MOST_SEARCHED; at++) {
            if (isSound(at)) return at;
        }
        return -1;
    }

    private boolean isSound(int at) {
        int length = length(at);
        return length > 0 && matches(at, length);
    }

    private boolean matches(int at, int length) {
        searched += length;
        return Segment.checksum(content.array(), content.arrayOffset() + at + Segment.FRAME, length)
                == content.getInt(at + Integer.BYTES);
    }

    /// As the frame there says; -1 when it cannot be.
    private int length(int at) {
        if (content.limit() - at < Segment.FRAME) return -1;
        int length = content.getInt(at);
        return length < 1 || length > LONGEST_RECORD || length > content.limit() - at - Segment.FRAME ? -1 : length;
    }
}
