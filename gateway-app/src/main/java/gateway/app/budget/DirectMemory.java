package gateway.app.budget;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/// How much memory outside of the heap buffers may take.
final class DirectMemory {
    private DirectMemory() {}

    /// `-XX:MaxDirectMemorySize`, or as much as the heap may take when it is not set, as the JDK has it.
    static long most() {
        var options = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        long set = options == null
                ? 0
                : Long.parseLong(options.getVMOption("MaxDirectMemorySize").getValue());
        return set > 0 ? set : Runtime.getRuntime().maxMemory();
    }
}
