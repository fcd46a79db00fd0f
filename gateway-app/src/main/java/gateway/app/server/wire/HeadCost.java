package gateway.app.server.wire;

/// What the head of a request takes on the heap once it is parsed: strings and headers instead of its octets.
public final class HeadCost {
    private static final int FIELD = 224; // the objects of a name and of a value, and their place in the map
    private static final int COPIES =
            3; // of an octet at most: of the target as a whole, of its path, in canonical form

    private HeadCost() {}

    /// @param octets of names and values
    /// @param fields how many
    public static long of(long octets, int fields) {
        return COPIES * octets + (long) FIELD * fields;
    }
}
