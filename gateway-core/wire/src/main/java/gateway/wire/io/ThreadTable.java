package gateway.wire.io;

/// The JDK's table of all threads, for dumps: it enters every virtual thread, which at tens of thousands a second
/// costs.
public final class ThreadTable {
    private static final String TRACK = "jdk.trackAllThreads";

    private ThreadTable() {}

    /// Keeps virtual threads out of the table, unless somebody set the property. Only has effect before the first
    /// virtual thread of the process starts.
    public static void leaveUntracked() {
        if (System.getProperty(TRACK) == null) System.setProperty(TRACK, "false");
    }
}
