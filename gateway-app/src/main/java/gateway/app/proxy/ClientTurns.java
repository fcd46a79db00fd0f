package gateway.app.proxy;

import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Requests of one client that wait for a place, by connection, which have their turns one after the other: those of
/// its connections that are proven, or those of the others. For the room alone, but for [#count].
final class ClientTurns {
    private final boolean proven;
    private @Nullable ArrayDeque<WaitingLine> lines; // in which somebody waits
    private volatile int count;

    /// @param proven whether those connections are
    ClientTurns(boolean proven) {
        this.proven = proven;
    }

    boolean areProven() {
        return proven;
    }

    /// How many wait; for any thread.
    int count() {
        return count;
    }

    boolean waits() {
        return count > 0;
    }

    /// `request` waits; answers whether it is the only one.
    boolean join(WaitingRequest request) {
        boolean first = !waits();
        if (lines == null) lines = new ArrayDeque<>(1);
        if (request.line().waiting() == 1) lines.add(request.line());
        change(1);
        return first;
    }

    /// All that wait in `line` do so here from now on; answers whether they are the only ones.
    boolean enter(WaitingLine line) {
        boolean first = !waits();
        if (lines == null) lines = new ArrayDeque<>(1);
        lines.add(line);
        change(line.waiting());
        return first;
    }

    /// All that wait in `line` do so elsewhere from now on.
    void leave(WaitingLine line) {
        lines().remove(line);
        change(-line.waiting());
    }

    /// Takes one of those that wait.
    WaitingRequest next() {
        ArrayDeque<WaitingLine> turns = lines();
        WaitingLine line = turns.remove();
        WaitingRequest next = line.next();
        if (line.waits()) turns.add(line);
        change(-1);
        return next;
    }

    /// Takes the one that came last to the connection with the most.
    WaitingRequest latest() {
        WaitingLine longest = lines().element();
        for (WaitingLine each : lines()) if (each.waiting() >= longest.waiting()) longest = each;
        WaitingRequest latest = longest.latest();
        if (!longest.waits()) lines().remove(longest);
        change(-1);
        return latest;
    }

    /// This one was taken out of its line.
    void removed(WaitingRequest request) {
        if (!request.line().waits()) lines().remove(request.line());
        change(-1);
    }

    /// Takes out whoever has waited too long.
    void expire(long now, Consumer<WaitingRequest> told) {
        lines().removeIf(line -> {
            line.expire(now, late -> {
                change(-1);
                told.accept(late);
            });
            return !line.waits();
        });
    }

    /// Nanoseconds until the first of those that wait has waited too long.
    long left(long now) {
        long least = Long.MAX_VALUE;
        for (WaitingLine line : lines()) least = Math.min(least, line.left(now));
        return least;
    }

    private ArrayDeque<WaitingLine> lines() {
        if (lines == null) throw new IllegalStateException("nobody waits");
        return lines;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // there is one writer
    private void change(int by) {
        count += by;
    }
}
