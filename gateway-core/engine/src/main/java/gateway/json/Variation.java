package gateway.json;

/// What is other than usual in a pass over a reader: usually everything is there, and has its default value or the
/// least.
sealed interface Variation {
    /// Of the place that differs.
    String pointer();

    /// Nothing stands there.
    record Absent(String pointer) implements Variation {}

    /// The word of an enum's constant stands there.
    record Chosen(String pointer, String word) implements Variation {}

    /// The largest value stands there.
    record Largest(String pointer) implements Variation {}

    /// JSON of this kind stands there, see [Exploration#STAND_INS].
    record Stands(String pointer, int kind) implements Variation {}
}
