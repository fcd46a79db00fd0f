package gateway.policies.script.groovy;

import org.jspecify.annotations.Nullable;

/// Texts that scripts in Groovy make numbers without end of, each looked at first ([WovenNumbers]): the time that takes
/// grows with the square of their length, many seconds for a mebibyte.
public final class BoundedNumbers {
    private static final int LONGEST = 10_000; // characters: a millisecond or two

    private BoundedNumbers() {}

    /// The same value.
    ///
    /// @throws IllegalArgumentException when it is a text, or a list with one, that is too long to be a number
    public static @Nullable Object checked(@Nullable Object value) {
        if (value instanceof CharSequence text && text.length() > LONGEST)
            throw new IllegalArgumentException("expected a number of at most " + LONGEST + " characters");
        if (value instanceof Iterable<?> list) for (Object each : list) if (each instanceof CharSequence) checked(each);
        return value;
    }
}
