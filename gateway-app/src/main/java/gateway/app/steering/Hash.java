package gateway.app.steering;

/// 64-bit hashes of texts, the same on every node and in every version: FNV-1a, then SplitMix64's finalizer for an even
/// spread.
public final class Hash {
    private static final long OFFSET = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private Hash() {}

    public static long of(String text) {
        long hash = OFFSET;
        for (int i = 0; i < text.length(); i++) hash = (hash ^ text.charAt(i)) * PRIME;
        return mixed(hash);
    }

    static long mixed(long bits) {
        long z = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
