package gateway.policies.message.xml;

import org.xml.sax.Attributes;

/// Finds durations of so many days that the JDK's validator, which counts them down month by month, takes seconds to
/// compare one: `P2147483000D`, in texts and attributes.
final class LongDurations {
    private static final int MOST_OF_DAYS = 6; // digits
    private static final int MOST_OF_HOURS = 7;

    private boolean inWord;
    private boolean inDuration;
    private int digits;

    /// Whatever comes now is another value.
    void begin() {
        inWord = false;
        inDuration = false;
    }

    /// Takes the values of an element's attributes, and begins with what is in it.
    ///
    /// @return whether none has too many days
    boolean takes(Attributes attributes) {
        for (int i = 0; i < attributes.getLength(); i++) {
            char[] value = attributes.getValue(i).toCharArray();
            begin();
            if (!takes(value, 0, value.length)) return false;
        }
        begin();
        return true;
    }

    /// Takes one more piece of a value.
    ///
    /// @return whether there are not too many days in it
    boolean takes(char[] piece, int start, int length) {
        for (int i = start; i < start + length; i++) {
            char c = piece[i];
            if (c <= ' ') {
                begin();
            } else if (!inWord && c != '-') {
                inWord = true;
                inDuration = c == 'P';
                digits = 0;
            } else if (inDuration && !takes(c)) {
                return false;
            }
        }
        return true;
    }

    private boolean takes(char c) {
        if (c >= '0' && c <= '9') {
            digits++;
            return true;
        }
        boolean tooMany = (c == 'D' && digits > MOST_OF_DAYS) || (c == 'H' && digits > MOST_OF_HOURS);
        if (tooMany) return false;
        digits = 0;
        inDuration = "YMDTHS.".indexOf(c) >= 0;
        return true;
    }
}
