package gateway.wire.accept;

import gateway.wire.io.Deadlines;
import gateway.wire.io.SilentConnections;
import gateway.wire.memory.Budget;
import gateway.wire.memory.Pressure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Closes the connections of one IO thread whose clients keep silent for too long: between two requests, or before a
/// head is whole, however many pieces of it have come. When memory is tight, the former are closed at once and the
/// latter have a tenth of their time. Before that, when the memory for heads is crowded, the oldest heads that are not
/// whole are closed at once, and as many as it takes: who comes anew with a whole one is still served.
///
/// One tick looks at [#LOOKS] connections, or an eighth of all when that is more: with tens of thousands it may be late
/// by seconds. Closing takes longer than looking: after half a millisecond of it the thread looks at its sockets before
/// it goes on.
public final class SilenceWatch implements Deadlines.Timed {
    private static final int LOOKS = 1024;
    private static final int CLOSES = 256; // a tick
    private static final long TURN_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long SHED_NANOS = TimeUnit.MILLISECONDS.toNanos(50); // from one look at all to the next

    private final Deadlines deadlines;
    private final SilentConnections silent;
    private final Supplier<Pressure> pressure;
    private final Budget heads;
    private final long headNanos;
    private final long idleNanos;
    private final int most;
    private @Nullable ClientSilence[] watched = new ClientSilence[64];
    private int count;
    private int next; // those below it come first in the next tick
    private int looks; // that are left of this tick
    private int closes; // likewise
    private boolean looksOn; // in the next turn of the thread
    private int slot = -1;
    private long shedAt = System.nanoTime() - SHED_NANOS;

    /// @param deadlines of the IO thread
    /// @param silent those of the IO thread
    /// @param heads what the heads draw on
    /// @param head from a request's first byte to the end of its head
    /// @param idle how long a connection may wait for its next request
    public SilenceWatch(
            Deadlines deadlines,
            SilentConnections silent,
            Supplier<Pressure> pressure,
            Budget heads,
            Duration head,
            Duration idle) {
        this(deadlines, silent, pressure, heads, head, idle, Integer.MAX_VALUE);
    }

    /// The same, where there may be no more than `most` connections, be there one more for a moment.
    public SilenceWatch(
            Deadlines deadlines,
            SilentConnections silent,
            Supplier<Pressure> pressure,
            Budget heads,
            Duration head,
            Duration idle,
            int most) {
        this.deadlines = deadlines;
        this.silent = silent;
        this.pressure = pressure;
        this.heads = heads;
        this.headNanos = head.toNanos();
        this.idleNanos = idle.toNanos();
        this.most = most;
    }

    SilentConnections silent() {
        return silent;
    }

    void join(ClientSilence client) {
        if (count == watched.length) watched = Arrays.copyOf(watched, count * 2);
        client.slot(count);
        watched[count++] = client;
        if (count == 1) deadlines.watch(this);
    }

    void leave(ClientSilence client) {
        int place = client.slot();
        if (place < 0) return;
        ClientSilence last = watched[--count];
        watched[count] = null;
        if (place != count && last != null) {
            watched[place] = last;
            last.slot(place);
        }
        client.slot(-1);
        if (count == 0) deadlines.forget(this);
    }

    /// Closes those that have been silent for longest until one more may come, or all have a request under way.
    public void makeRoom() {
        shrinkTo(most - 1, System.nanoTime());
    }

    private void shrinkTo(int remaining, long now) {
        for (int before = Integer.MAX_VALUE; count > remaining && count < before; ) {
            before = count;
            closeLongest(now);
        }
    }

    private void closeLongest(long now) {
        ClientSilence longest = null;
        for (int i = 0; i < count; i++) {
            ClientSilence each = watched[i];
            if (each == null || each.phase(now) == ClientSilence.Phase.REQUEST) continue;
            if (longest == null || each.since() - longest.since() < 0) longest = each;
        }
        if (longest != null) longest.close();
    }

    /// A head that is not whole has grown: the oldest of them make room for it when it is short.
    void headGrew() {
        if (heads.isCrowded()) shed(System.nanoTime());
    }

    /// Looking at all is costly, so many are closed then; and none for a while when it was others that took the room.
    private void shed(long now) {
        if (now - shedAt < SHED_NANOS) return;
        List<ClientSilence> unfinished = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ClientSilence each = watched[i];
            if (each != null && each.phase(now) == ClientSilence.Phase.HEAD) unfinished.add(each);
        }
        unfinished.sort((one, other) -> Long.compare(one.since() - other.since(), 0));
        long excess = heads.excess();
        for (ClientSilence each : unfinished.subList(0, unfinished.size() / 2)) { // never who has just begun
            if (excess <= 0) break;
            excess -= each.held();
            each.close();
        }
        if (excess > 0) shedAt = now;
    }

    @Override
    public void onTick(long now) {
        if (heads.isCrowded()) shed(now);
        shrinkTo(most, now); // who had a request under way when the last one came may keep silent by now
        looks = Math.min(count, Math.max(LOOKS, count / 8));
        closes = CLOSES;
        if (!looksOn) look();
    }

    private void look() {
        looksOn = false;
        long now = System.nanoTime();
        Pressure memory = pressure.get();
        while (looks > 0 && closes > 0 && count > 0) {
            looks--;
            next = next == 0 || next > count
                    ? count - 1
                    : next - 1; // downwards: who leaves gives its place to a later one
            ClientSilence each = watched[next];
            if (each == null) continue;
            if (isTooLong(each, now, memory)) {
                each.close();
                closes--;
                if (System.nanoTime() - now > TURN_NANOS) {
                    lookOn();
                    return;
                }
            } else if (each.phase(now) != ClientSilence.Phase.REQUEST) {
                each.silentFor(now - each.since());
            }
        }
    }

    private void lookOn() {
        try {
            deadlines.nextTurn().run(this::look);
            looksOn = true;
        } catch (RejectedExecutionException e) {
            // the gateway has stopped
        }
    }

    private boolean isTooLong(ClientSilence client, long now, Pressure memory) {
        return switch (client.phase(now)) {
            case IDLE -> memory != Pressure.NONE || now - client.since() > idleNanos;
            case HEAD -> now - client.since() > memory.patience(headNanos);
            case REQUEST -> false;
        };
    }

    @Override
    public int slot() {
        return slot;
    }

    @Override
    public void slot(int value) {
        slot = value;
    }
}
