package gateway.wire.memory;

/// How near the fullest budget is to its bound, and what is done about it. Each step does what those before it do.
public enum Pressure {
    NONE(0),
    /// Three quarters are taken: new connections are closed at once, idle ones soon, and streams whose client takes
    /// nothing are given less time.
    TIGHT(1),
    /// Fifteen sixteenths are taken: new requests are answered 503.
    SPENT(2);

    private static final int TIGHT_SHARE = 10;

    private final int level;

    Pressure(int level) {
        this.level = level;
    }

    /// As meters tell it.
    public int level() {
        return level;
    }

    /// How much of the time that a client has for a head or a handshake it is left: a tenth from tight on.
    public long patience(long nanos) {
        return this == NONE ? nanos : nanos / TIGHT_SHARE;
    }

    static Pressure of(long taken, long most) {
        if (taken >= most - most / 16) return SPENT;
        return taken >= tightAt(most) ? TIGHT : NONE;
    }

    /// From how many bytes on a budget of `most` sheds what keeps silent, so that newcomers still find room.
    static long crowdedAt(long most) {
        return most - most / 8 * 3;
    }

    /// From how many bytes on a budget of `most` is tight.
    public static long tightAt(long most) {
        return most - most / 4;
    }
}
