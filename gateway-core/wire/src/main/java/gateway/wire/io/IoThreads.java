package gateway.wire.io;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.Xnio;
import org.xnio.XnioWorker;

/// The IO threads of a listener: a worker of XNIO. Nothing runs on the pool of tasks that each worker has too.
public final class IoThreads {
    private static final String BUILDER_OF_BEANS = "javax.management.builder.initial";
    private static final ExecutorService TASKS = Executors.newVirtualThreadPerTaskExecutor();

    private IoThreads() {}

    /// Starts them.
    ///
    /// @param name of the worker, with which the threads' names begin
    public static XnioWorker start(String name, int threads) {
        return Xnio.getInstance()
                .createWorkerBuilder()
                .populateFromOptions(OptionMap.builder()
                        .set(Options.WORKER_NAME, name)
                        .set(Options.WORKER_IO_THREADS, threads)
                        .getMap())
                .setExternalExecutorService(TASKS) // XNIO's own pool has the server of management beans made
                .build();
    }

    /// Keeps XNIO from having the JVM's server of management beans (JMX) made, with every command of Java Flight
    /// Recorder: it takes a failure to mean that there is none, and asks once. Whoever asks later (`jconsole`, an
    /// agent) has the server made then; where an agent made it already, XNIO registers with it.
    ///
    /// Only has effect before XNIO is first used.
    public static void leaveBeansUnasked() {
        if (System.getProperty(BUILDER_OF_BEANS) != null) return;
        System.setProperty(BUILDER_OF_BEANS, "none while XNIO asks");
        try {
            Xnio.getInstance();
        } finally {
            System.clearProperty(BUILDER_OF_BEANS);
        }
    }
}
