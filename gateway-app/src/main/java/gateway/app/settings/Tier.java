package gateway.app.settings;

/// A size of machine and what is set for it when nothing else is said.
public enum Tier {
    W1(1, 2, 256),
    W2(2, 4, 512),
    W4(4, 8, 1024),
    W8(8, 16, 3072);

    private static final int OPEN_FILES_EACH = 32_768; // a CPU, as docker/entrypoint.sh has it

    private final int cpus;
    private final int ioThreads;
    private final int requestsInFlight;

    Tier(int cpus, int ioThreads, int requestsInFlight) {
        this.cpus = cpus;
        this.ioThreads = ioThreads;
        this.requestsInFlight = requestsInFlight;
    }

    /// The largest tier that `cpus` fill.
    public static Tier of(int cpus) {
        if (cpus >= 8) return W8;
        if (cpus >= 4) return W4;
        return cpus >= 2 ? W2 : W1;
    }

    public int cpus() {
        return cpus;
    }

    public int ioThreads() {
        return ioThreads;
    }

    /// Threads for policies that compute for long or block: as many as CPUs, and two at least, since nobody has all of
    /// them.
    public int workers() {
        return Math.max(2, cpus);
    }

    /// Connections of clients that may be open at once: a quarter of the open files that the tier allows.
    public int connections() {
        return OPEN_FILES_EACH * Math.max(2, cpus) / 4;
    }

    /// Requests that may be under way at once; others wait.
    public int requestsInFlight() {
        return requestsInFlight;
    }
}
