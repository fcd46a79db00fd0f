package gateway.app.traffic;

import java.nio.ByteBuffer;

/// The sound records in what follows a segment's header, one after the other. Where one is damaged, reading goes on at
/// the next place at which a record stands that matches its checksum.
final class SegmentRecords {
    private static final int LONGEST_RECORD = 64 << 20;

    private final ByteBuffer content;
    private int damaged;
    private boolean torn;

    /// @param content from its position on; backed by an array
    SegmentRecords(ByteBuffer content) {
        this.content = content;
    }

    /// Moves to the next sound record, whose bytes begin at the position of the content; answers its length, or -1 when
    /// there is none. To be called again once the position is behind it.
    int next() {
        if (!content.hasRemaining()) return -1;
        int at = content.position();
        int found = firstSound(at);
        if (found > at) damaged++;
        if (found < 0) {
            torn = length(at) < 0;
            if (!torn) damaged++;
            content.position(content.limit());
            return -1;
        }
        content.position(found + Segment.FRAME);
        return length(found);
    }

    /// Gaps between or behind sound records; each stands for one damaged record or more.
    int damaged() {
        return damaged;
    }

    /// Whether the last record breaks off, as one does whose writing was under way when the process ended.
    boolean isTorn() {
        return torn;
    }

    /// Mostly right here, or right behind a record whose length is still what it was.
    private int firstSound(int from) {
        if (isSound(from)) return from;
        int length = length(from);
        if (length > 0 && isSound(from + Segment.framed(length))) return from + Segment.framed(length);
        for (int at = from + 1; at < content.limit() - Segment.FRAME; at++) if (isSound(at)) return at;
        return -1;
    }

    private boolean isSound(int at) {
        int length = length(at);
        if (length < 0) return false;
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
