package gateway.wire.io;

import java.util.concurrent.ForkJoinPool;

/// Starts virtual threads of the JDK's scheduler from wherever: one started by a request thread would inherit the IO
/// thread as its carrier.
public final class OffRequestThreads {
    private OffRequestThreads() {}

    public static void start(String name, Runnable work) {
        ForkJoinPool.commonPool().execute(() -> Thread.ofVirtual().name(name).start(work));
    }
}
