package gateway.wire.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/// How much memory outside of the heap buffers may take, and take. Whoever asks the JDK for more than is left does not
/// get a plain no: its thread sleeps for half a second and longer while collections are to free some
/// (`java.nio.Bits.reserveMemory`).
public final class DirectMemory {
    private static final BufferPoolMXBean IN_USE = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .findFirst()
            .orElseThrow();
    private static final long MOST = most();

    private DirectMemory() {}

    /// Whether `bytes` more are to be had without waiting; a sixty-fourth is left to others in any case.
    public static boolean hasRoomFor(long bytes) {
        return IN_USE.getMemoryUsed() + bytes <= MOST - MOST / 64;
    }

    /// `-XX:MaxDirectMemorySize`, or as much as the heap may take when it is not set, as the JDK has it.
    static long most() {
        var options = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        long set = options == null
                ? 0
                : Long.parseLong(options.getVMOption("MaxDirectMemorySize").getValue());
        return set > 0 ? set : Runtime.getRuntime().maxMemory();
    }
}
