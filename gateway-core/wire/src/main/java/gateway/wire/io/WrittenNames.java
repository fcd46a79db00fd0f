package gateway.wire.io;

import io.undertow.util.HttpString;
import org.jspecify.annotations.Nullable;

/// Names of fields that policies write or ask for, as Undertow has them. It knows the usual ones itself; the others
/// come again with each message, so the latest are at hand. Direct-mapped and so bounded.
final class WrittenNames {
    private static final int PLACES = 256; // a power of two
    private static final @Nullable HttpString[] AT_HAND = new HttpString[PLACES]; // written without care: any is right

    private WrittenNames() {}

    /// @throws IllegalArgumentException when there is a character in it that no name of a field can have
    static HttpString of(String name) {
        HttpString known = atHand(name);
        return known == null ? made(name) : known;
    }

    /// The same; null for what can be no name.
    static @Nullable HttpString ofAny(String name) {
        HttpString known = atHand(name);
        if (known != null) return known;
        return name.chars().allMatch(c -> c > ' ' && c < 127) ? made(name) : null;
    }

    private static @Nullable HttpString atHand(String name) {
        HttpString known = AT_HAND[place(name)];
        return known != null && known.toString().equals(name) ? known : null;
    }

    private static HttpString made(String name) {
        HttpString made = HttpString.tryFromString(name);
        AT_HAND[place(name)] = made;
        return made;
    }

    private static int place(String name) {
        return name.hashCode() & (PLACES - 1);
    }
}
