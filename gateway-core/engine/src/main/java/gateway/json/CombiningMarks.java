package gateway.json;

/// Marks that combine with the character before them, such as accents. Normal forms put those in a row in order, in a
/// time that grows with the square of their number.
public final class CombiningMarks {
    private static final int FIRST = 0x300;

    private CombiningMarks() {}

    public static boolean include(int codePoint) {
        if (codePoint < FIRST) return false;
        return switch (Character.getType(codePoint)) {
            case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK -> true;
            default -> false;
        };
    }
}
