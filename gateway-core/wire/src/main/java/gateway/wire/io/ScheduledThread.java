package gateway.wire.io;

import org.xnio.XnioIoThread;

/// A virtual thread of the JDK's scheduler; channel work is posted to the connection's IO thread.
final class ScheduledThread implements RequestThread {
    private final XnioIoThread io;

    ScheduledThread(XnioIoThread io) {
        this.io = io;
    }

    @Override
    public void start(Runnable body) {
        Thread.startVirtualThread(body);
    }

    @Override
    public void onIoThread(Runnable work) {
        io.execute(work);
    }
}
