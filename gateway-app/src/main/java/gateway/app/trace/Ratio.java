package gateway.app.trace;

import java.util.HexFormat;

/// Which traces are recorded: decided by the trace id alone, as OpenTelemetry's `TraceIdRatioBased` sampler does, so
/// that gateways with the same ratio record the same ones.
final class Ratio {
    private static final int LOW_HALF = 16;
    private static final int END = 32;

    private final long bound;

    /// @param share 0 to 1
    Ratio(double share) {
        bound = share >= 1 ? Long.MAX_VALUE : (long) (share * Long.MAX_VALUE);
    }

    boolean holds(String traceId) {
        return bound == Long.MAX_VALUE
                || (HexFormat.fromHexDigitsToLong(traceId, LOW_HALF, END) & Long.MAX_VALUE) < bound;
    }
}
