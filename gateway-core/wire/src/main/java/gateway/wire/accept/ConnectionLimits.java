package gateway.wire.accept;

/// How many connections clients may have at once, on all listeners together.
///
/// @param perClient of one client address; 0: as many as it likes
public record ConnectionLimits(int most, int perClient) {
    /// All, from whomever.
    public static final ConnectionLimits NONE = new ConnectionLimits(Integer.MAX_VALUE, 0);
}
