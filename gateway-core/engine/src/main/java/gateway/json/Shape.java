package gateway.json;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// What may stand at one place of a document.
///
/// @param kinds of values that may; none: any
/// @param required whether the object around it has to have it, or the array or object of any names something but null
/// @param fallback what holds when nothing stands here, where that is always the same
/// @param meaning one line; empty when the reader gives none
/// @param form what is expected, where the kinds do not tell; else empty
/// @param pattern that texts match from begin to end; else empty
/// @param names pattern that the names of an object's members match from begin to end; else empty
/// @param extent of the array or object that may stand here, else of the text
/// @param unlessGiven what holds when nothing stands here, in words; else empty
/// @param rules of what may stand here, such as which fields of an object go together
public record Shape(
        List<Kind> kinds,
        boolean required,
        Optional<JsonNode> fallback,
        String meaning,
        String form,
        String pattern,
        String names,
        Optional<Extent> extent,
        String unlessGiven,
        List<Rule> rules) {
    public Shape {
        kinds = List.copyOf(kinds);
        rules = List.copyOf(rules);
    }

    /// How many elements, members or characters.
    public record Extent(int least, int most) {}

    /// What holds of one place as a whole, mostly of the fields of an object together. One that is null is not there.
    public sealed interface Rule {
        /// Exactly one of them is there.
        record One(List<String> fields) implements Rule {
            public One {
                fields = List.copyOf(fields);
            }
        }

        /// At least one of them is there.
        record Some(List<String> fields) implements Rule {
            public Some {
                fields = List.copyOf(fields);
            }
        }

        /// None of the others is there beside the field.
        record Apart(String field, List<String> others) implements Rule {
            public Apart {
                others = List.copyOf(others);
            }
        }

        /// The field is there only beside the other.
        record Beside(String other, String field) implements Rule {}

        /// The field is there only where another is one of the words, or is not there and that is `usual`.
        record OnlyWhere(String field, String by, boolean usual, List<String> words) implements Rule {
            public OnlyWhere {
                words = List.copyOf(words);
            }
        }

        /// A JSON Schema holds of the place.
        record Obeys(JsonNode schema) implements Rule {}

        /// The field is there at least where another is one of the words, or is not there and that is `usual`.
        record NeededWhere(String field, String by, boolean usual, List<String> words) implements Rule {
            public NeededWhere {
                words = List.copyOf(words);
            }
        }
    }

    /// A kind of value.
    public sealed interface Kind {
        /// @param some whether it may not be empty
        record Text(boolean some) implements Kind {}

        /// Text, a number, true or false.
        record Scalar() implements Kind {}

        record Flag() implements Kind {}

        record Whole(long min, long max) implements Kind {}

        /// From 0 to 1.
        record Share() implements Kind {}

        record Length(Duration min, Duration max) implements Kind {}

        /// @param min bytes
        /// @param max bytes
        record Size(long min, long max) implements Kind {}

        /// RFC 3339.
        record Time() implements Kind {}

        record Choice(List<String> words) implements Kind {
            public Choice {
                words = List.copyOf(words);
            }
        }

        record Items(Shape element) implements Kind {}

        /// An object of any names.
        record Members(Shape value) implements Kind {}

        /// @param closed whether other fields are refused
        record Fields(Map<String, Shape> fields, boolean closed) implements Kind {
            public Fields {
                fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
            }
        }

        /// A shape that [Description#shapes] has by this name.
        record Named(String shape) implements Kind {}

        /// One of them, by name.
        record OneOf(Map<String, Shape> alternatives) implements Kind {
            public OneOf {
                alternatives = Collections.unmodifiableMap(new LinkedHashMap<>(alternatives));
            }
        }
    }
}
