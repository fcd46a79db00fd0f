package gateway.app.proxy;

import gateway.wire.client.IoThreadResources;
import io.undertow.server.protocol.http.HttpOpenListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// How the requests and connections of a data plane come to their end once it takes no new ones.
final class Drain {
    /// How long a connection on which nothing has come may stay, so that a request on its way is answered.
    static final Duration LAST_CALL = Duration.ofMillis(250);

    private static final Duration IDLE_ROUND = Duration.ofMillis(50);
    private static final Duration FAREWELL = Duration.ofSeconds(1);
    private static final Duration WALK_BACK = Duration.ofMillis(250);

    private final Admission admission;
    private final WebSockets webSockets;
    private final HttpOpenListener http;
    private final ConnectionSetup setup;
    private final Http2Setup http2;
    private final List<Runnable> ends = new CopyOnWriteArrayList<>();
    private volatile boolean hurried;

    Drain(Admission admission, WebSockets webSockets, HttpOpenListener http, ConnectionSetup setup, Http2Setup http2) {
        this.admission = admission;
        this.webSockets = webSockets;
        this.http = http;
        this.setup = setup;
        this.http2 = http2;
    }

    /// Waits until what is in flight has been answered or `patience` is over. Then what has no answer yet is given one,
    /// answers that have begun have a moment more, and every connection is closed.
    ///
    /// @return whether every request was answered
    boolean run(Duration patience) {
        long begin = System.nanoTime();
        long deadline = begin + patience.toNanos();
        http2.leave();
        awaitQuiet(begin + Math.min(LAST_CALL.toNanos(), patience.toNanos()));
        while (busy() && !hurried && System.nanoTime() < deadline) {
            setup.closeIdle();
            http2.leave();
            awaitQuiet(Math.min(deadline, System.nanoTime() + IDLE_ROUND.toNanos()));
        }
        boolean drained = admission.isIdle();
        takeLeave();
        closeAll();
        return drained;
    }

    /// [#run] waits no longer.
    void hurry() {
        hurried = true;
    }

    /// Has `work` done when what has no answer yet is given one.
    void endWith(Runnable work) {
        ends.add(work);
    }

    /// A request may outlive its connection: its thread still walks back, and its followups are told the end.
    private boolean busy() {
        return setup.connections() + http2.connections() > 0 || !admission.isIdle();
    }

    private void awaitQuiet(long until) {
        while (busy() && !hurried && System.nanoTime() < until) nap();
    }

    /// Clients learn that the gateway goes away, each on its IO thread.
    private void takeLeave() {
        admission.turnAway();
        webSockets.leaveAll();
        setup.stop();
        http2.stop();
        ends.forEach(Runnable::run);
        awaitNone(this::busy, FAREWELL);
    }

    /// Each on its IO thread, so that the traffic log is told of it.
    private void closeAll() {
        webSockets.closeAll();
        awaitNone(() -> webSockets.open() > 0, WALK_BACK);
        setup.close();
        http2.end();
        awaitNone(this::busy, WALK_BACK); // requests that were cut tell their end, and clients read why
        http.closeConnections();
        http2.close();
        closeIoThreads();
        awaitNone(() -> !admission.isIdle(), WALK_BACK);
    }

    private static void awaitNone(BooleanSupplier any, Duration patience) {
        long until = System.nanoTime() + patience.toNanos();
        while (any.getAsBoolean() && System.nanoTime() < until) nap();
    }

    private static void nap() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }

    private void closeIoThreads() {
        var closed = new CountDownLatch(setup.everyIoThread().size());
        for (IoThreadResources ioThread : setup.everyIoThread()) {
            ioThread.io().execute(() -> {
                ioThread.close();
                closed.countDown();
            });
        }
        try {
            closed.await(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
