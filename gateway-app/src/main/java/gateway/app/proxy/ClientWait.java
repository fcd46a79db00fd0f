package gateway.app.proxy;

import gateway.wire.io.Deadlines;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// The times in which one direction of a request waits for its client. The request keeps no place meanwhile, and is
/// given up when the client stands still for too long or is too slow on average, or too many requests wait so. Late by
/// up to a tick of the IO thread's connection deadlines. Used on the IO thread alone.
final class ClientWait implements Deadlines.Timed {
    /// How long a client may take nothing, and send nothing of a body, when memory is crowded or tight.
    static final long SHORT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long SHORT_MOMENT_MILLIS = 50;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final ClientRequest request;
    private final ClientConnection connection;
    private final Direction direction;
    private final BooleanSupplier pointless;
    private final Runnable giveUp;
    private long moved;
    private long before; // nanoseconds of waiting that is over
    private long since;
    private boolean hasRoom = true; // to wait without its place
    private int slot = -1;

    /// Whose bytes are awaited.
    enum Direction {
        /// The client is to send.
        UPLOAD,
        /// The client is to take.
        DOWNLOAD
    }

    /// @param pointless whether there is nothing to wait for any more
    ClientWait(ClientRequest request, Direction direction, BooleanSupplier pointless, Runnable giveUp) {
        this.request = request;
        this.connection = request.connection();
        this.direction = direction;
        this.pointless = pointless;
        this.giveUp = giveUp;
    }

    /// The client is awaited from now on; no change when it is already.
    ///
    /// @param bytes that it has moved so far
    void begin(long bytes) {
        if (slot >= 0) return;
        moved = bytes;
        since = System.nanoTime();
        connection.ioThread().connectionDeadlines().watch(this);
        hasRoom = !isAllThatIsAwaited() || request.progress().clientAwaited();
        if (!hasRoom && direction == Direction.UPLOAD && request.progress().isOneTooMany()) giveUpSoon();
    }

    /// Of a client that has others wait as well: it keeps its place only until the next packet may have come.
    private void giveUpSoon() {
        long begun = since;
        Runnable givenUp = () -> {
            if (slot < 0 || since != begun || !isAllThatIsAwaited()) return; // it has got on meanwhile
            hasRoom = request.progress().clientAwaited();
            if (hasRoom && !request.progress().isOneTooMany()) return;
            end();
            giveUp.run();
        };
        connection.ioThread().io().executeAfter(givenUp, SHORT_MOMENT_MILLIS, TimeUnit.MILLISECONDS);
    }

    /// The client got on, or is not awaited any longer.
    void end() {
        if (slot < 0) return;
        before += System.nanoTime() - since;
        connection.ioThread().connectionDeadlines().forget(this);
        if (isAllThatIsAwaited()) request.progress().clientMoved();
    }

    /// An upload that goes on beside the answer holds back nothing but itself.
    private boolean isAllThatIsAwaited() {
        return direction == Direction.DOWNLOAD || !request.progress().headCame();
    }

    @Override
    public void onTick(long now) {
        if (!pointless.getAsBoolean() && !isTooLong(now) && !isOneTooMany(now)) return;
        end();
        giveUp.run();
    }

    /// Who takes nothing while memory is crowded has no leave to pause either.
    private boolean isTooLong(long now) {
        long still = now - since;
        boolean mayPause = direction == Direction.UPLOAD && !connection.isHurried();
        if (!mayPause && still > SHORT_NANOS && connection.ioThread().memory().isCrowded()) return true;
        return connection.isHurried() && (still > connection.patience().toNanos() || isSlow(now));
    }

    /// Whether so many requests wait for their clients that this one cannot, after a moment in which it might have
    /// moved.
    private boolean isOneTooMany(long now) {
        if (now - since < MOMENT_NANOS || !isAllThatIsAwaited()) return false;
        if (!hasRoom) hasRoom = request.progress().clientAwaited();
        return !hasRoom || request.progress().isOneTooMany();
    }

    private boolean isSlow(long now) {
        LeastRates rates = connection.leastRates();
        long waited = before + now - since;
        if (waited <= rates.grace().toNanos()) return false;
        int least = direction == Direction.UPLOAD ? rates.upload() : rates.download();
        double due = (double) least / connection.sharers() * waited / SECOND;
        return moved < due;
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
