package gateway.app.settings;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.stream.Collectors;

/// What this process runs on, for the line that tells that it is ready.
public final class ProcessText {
    private static final long MEBIBYTE = 1 << 20;

    private ProcessText() {}

    public static String now() {
        Runtime runtime = Runtime.getRuntime();
        return "heap " + runtime.maxMemory() / MEBIBYTE + " MiB, collector " + collector() + ", "
                + runtime.availableProcessors() + " CPUs, Java "
                + Runtime.version().feature() + ", CPU time "
                + cpuTime();
    }

    private static String collector() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .collect(Collectors.joining(" + "));
    }

    private static String cpuTime() {
        Duration used = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        return used.toMillis() + " ms";
    }
}
