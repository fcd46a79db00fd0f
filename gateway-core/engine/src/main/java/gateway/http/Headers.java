package gateway.http;

import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/// The header fields of one message (RFC 9110 §5): names without regard to case, values in order. Mutable and owned by
/// one exchange.
///
/// Writing a name that is no token or a value with CR, LF or NUL throws [IllegalArgumentException]: nothing a policy
/// writes can split a message.
public interface Headers {
    /// The first value of `name`.
    Optional<String> first(String name);

    /// Every value of `name`, one for each field line.
    List<String> all(String name);

    boolean contains(String name);

    /// Replaces every value of `name`.
    void set(String name, String value);

    /// Replaces every value of the field's name.
    default void set(HeaderField field) {
        set(field.name(), field.value());
    }

    void add(String name, String value);

    void remove(String name);

    /// Takes out all fields whose names are such, and those that are to come behind the content.
    void removeAll(Predicate<String> names);

    /// Takes out all fields that are to come behind the content, and what announces them (RFC 9110, section 6.5): for
    /// policies that look at fields, which have decided by then. What gRPC cannot do without stays.
    default void removeTrailers() {
        remove("Trailer");
    }

    /// Every field line, name and value.
    void forEach(BiConsumer<String, String> line);

    /// Headers of their own, empty.
    static Headers create() {
        return new HeaderList(List.of());
    }

    /// Headers of their own with these lines, names and values by turns, which were fields of a message before: they
    /// are not looked at again.
    static Headers ofLines(List<String> lines) {
        return new HeaderList(lines);
    }

    /// Headers of their own with the lines of `other`: few are found faster here than in a large map.
    static Headers copyOf(Headers other) {
        return HeaderList.copyOf(other);
    }
}
