package gateway.app.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.lang.management.ManagementFactory;
import jdk.management.VirtualThreadSchedulerMXBean;

/// Memory, collector, threads and descriptors of the process.
final class JvmMetrics implements AutoCloseable {
    private final JvmGcMetrics collector = new JvmGcMetrics();

    JvmMetrics(Readings readings) {
        MeterRegistry registry = readings.registry();
        new JvmMemoryMetrics().bindTo(registry); // direct buffers too
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        collector.bindTo(registry);
        virtualThreads(readings, ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class));
    }

    /// Those of the JDK's scheduler, which carries worker steps; request threads are carried by their IO threads and
    /// are as many as requests in flight.
    private static void virtualThreads(Readings readings, VirtualThreadSchedulerMXBean scheduler) {
        String description = "virtual threads of the JDK's scheduler";
        readings.gauge(
                MeterNames.VIRTUAL_THREADS,
                description,
                scheduler::getMountedVirtualThreadCount,
                MeterNames.STATE,
                "mounted");
        readings.gauge(
                MeterNames.VIRTUAL_THREADS,
                description,
                scheduler::getQueuedVirtualThreadCount,
                MeterNames.STATE,
                "queued");
        readings.gauge(MeterNames.VIRTUAL_CARRIERS, "threads that carry them", scheduler::getPoolSize);
    }

    @Override
    public void close() {
        collector.close();
    }
}
