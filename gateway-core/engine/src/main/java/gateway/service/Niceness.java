package gateway.service;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How much threads stand back for others of the machine: `setpriority(2)`, which on Linux is about one thread, and for
/// which whoever only stands back needs no privilege. The priorities of Java do nothing there.
final class Niceness {
    /// More than the process has. Such a thread gets a third of what a busy one without gets (`sched(7)`): IO threads
    /// seldom wait for it, and it still comes to run beside them.
    static final int OF_WORKERS = 5;

    private static final Logger LOG = LoggerFactory.getLogger(Niceness.class);
    private static final boolean BY_THREAD = System.getProperty("os.name").equals("Linux"); // elsewhere the process
    private static final int PRIO_PROCESS = 0;
    private static final int CALLING_THREAD = 0;
    private static final int LAST = 19;

    private Niceness() {}

    /// Has the calling thread stand back for good. Where that cannot be had it goes on as it was.
    ///
    /// @param more than the process, whatever the thread that started this one has
    static void ofThisThread(int more) {
        if (!BY_THREAD) return;
        try {
            int pid = (int) ProcessHandle.current().pid();
            int ofProcess = (int) Calls.GET.invokeExact(PRIO_PROCESS, pid); // of its first thread
            int wanted = Math.min(LAST, ofProcess + more);
            int failed = (int) Calls.SET.invokeExact(PRIO_PROCESS, CALLING_THREAD, wanted);
            if (failed != 0) LOG.debug("a niceness of {} was refused", wanted);
        } catch (Throwable e) {
            LOG.debug("setpriority(2) cannot be called", e);
        }
    }

    private static final class Calls {
        static final MethodHandle GET = find("getpriority", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
        static final MethodHandle SET =
                find("setpriority", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);

        @SuppressWarnings("restricted") // the jar's manifest enables native access
        private static MethodHandle find(String name, MemoryLayout... arguments) {
            var linker = Linker.nativeLinker();
            return linker.downcallHandle(
                    linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
        }
    }
}
