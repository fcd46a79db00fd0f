package gateway.policies.message.xslt;

import org.xml.sax.SAXException;

/// Refuses numbers that are long, since one expression calculates with them for a time that grows by the square of
/// their digits, and no clock is looked at meanwhile.
final class LongNumbers {
    private static final int MOST = 1_000; // digits in a row in an attribute, or between two tags
    private static final int MOST_ACROSS = 100_000; // with tags between, which the value of an element leaves out

    private int digits;
    private int across;

    void tag() {
        digits = 0;
    }

    /// @throws TooComplexException when a row of digits in it is too long
    void attribute(String value) throws SAXException {
        int row = 0;
        for (int i = 0; i < value.length(); i++) {
            row = Character.isDigit(value.charAt(i)) ? row + 1 : 0;
            if (row > MOST) throw tooMany(MOST);
        }
    }

    /// Takes one more piece of text.
    ///
    /// @throws TooComplexException when that makes a row of digits too long
    void text(char[] piece, int start, int length) throws SAXException {
        for (int i = start; i < start + length; i++) {
            boolean digit = Character.isDigit(piece[i]);
            digits = digit ? digits + 1 : 0;
            across = digit ? across + 1 : 0;
            if (digits > MOST) throw tooMany(MOST);
            if (across > MOST_ACROSS) throw tooMany(MOST_ACROSS);
        }
    }

    private static TooComplexException tooMany(int most) {
        return new TooComplexException("more than " + most + " digits in a row");
    }

    /// A message has too much of something.
    static final class TooComplexException extends SAXException {
        private static final long serialVersionUID = 1;

        private final String what;

        TooComplexException(String what) {
            super(what);
            this.what = what;
        }

        String what() {
            return what;
        }

        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }
}
