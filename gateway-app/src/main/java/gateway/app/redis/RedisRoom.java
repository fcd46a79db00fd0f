package gateway.app.redis;

/// How much of what is in Redis a node holds in its own memory.
///
/// @param leases counters of which it holds a part, some 700 bytes each; one more is decided in Redis
/// @param keys keys at hand; of more, those used least are asked for again
public record RedisRoom(int leases, int keys) {
    public static final RedisRoom USUAL = new RedisRoom(100_000, 100_000);
}
