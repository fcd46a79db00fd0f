package gateway.policies.message.filter;

import java.util.Arrays;

/// The names of the members of objects that are being read, told apart by their hashes.
final class MemberNames {
    private static final int MOST = 512;

    private int[] hashes = new int[32]; // of the outer objects first
    private int begin; // of the innermost one
    private int count;

    /// An object begins.
    ///
    /// @return what [#close] wants
    int open() {
        int outer = begin;
        begin = count;
        return outer;
    }

    /// It ends.
    void close(int outer) {
        count = begin;
        begin = outer;
    }

    /// Whether the name between `from` and `to` is another one than those that the object has had; false too when that
    /// is not known, as of two with one hash, of an escape, or where there are many.
    boolean add(byte[] json, int from, int to) {
        int hash = 0;
        for (int i = from; i < to; i++) {
            if (json[i] == '\\') return false;
            hash = 31 * hash + json[i];
        }
        for (int i = begin; i < count; i++) if (hashes[i] == hash) return false;
        if (count == MOST) return false;
        if (count == hashes.length) hashes = Arrays.copyOf(hashes, 2 * count);
        hashes[count++] = hash;
        return true;
    }
}
