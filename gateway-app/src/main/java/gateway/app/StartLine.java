package gateway.app;

import gateway.app.settings.Address;
import gateway.app.settings.SettingFormats;
import gateway.app.settings.VersionText;
import gateway.snapshot.Snapshot;
import gateway.wire.io.RequestThreadMode;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.stream.Collectors;

/// The one line that tells an operator what has just become ready.
record StartLine(
        Settings settings,
        Snapshot snapshot,
        InetSocketAddress data,
        InetSocketAddress admin,
        RequestThreadMode requestThreads) {
    private static final long MEBIBYTE = 1 << 20;

    @Override
    public String toString() {
        return "gateway " + VersionText.version() + " ready: data plane " + text(data) + ", admin plane " + text(admin)
                + ", store " + store() + ", revision " + snapshot.revision() + ", "
                + snapshot.apis().size() + " APIs, heap "
                + Runtime.getRuntime().maxMemory() / MEBIBYTE + " MiB, collector " + collector() + ", "
                + Runtime.getRuntime().availableProcessors() + " CPUs, request threads "
                + SettingFormats.lowerCase(requestThreads) + " on " + settings.ioThreads() + " IO threads, tier "
                + settings.tier() + ", node " + settings.node() + ", Java "
                + Runtime.version().feature()
                + ", CPU time " + cpuTime();
    }

    private String store() {
        boolean memory = settings.store().uri().isEmpty();
        return memory
                ? "memory in " + settings.data().toAbsolutePath().normalize()
                : settings.store().toString();
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

    private static String text(InetSocketAddress address) {
        return new Address(address.getAddress().getHostAddress(), address.getPort()).toString();
    }
}
