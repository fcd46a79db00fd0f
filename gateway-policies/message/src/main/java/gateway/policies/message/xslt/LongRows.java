package gateway.policies.message.xslt;

import gateway.json.CombiningMarks;
import java.util.function.IntPredicate;
import org.xml.sax.SAXException;

/// Refuses long rows of digits, since one expression calculates with a number for a time that grows by the square of
/// them, and of combining marks, which `normalize-unicode()` sorts in such a time. No clock is looked at meanwhile.
final class LongRows {
    private final Row digits = new Row("digits", Character::isDigit, 100_000);
    private final Row marks = new Row("combining marks", CombiningMarks::include, 10_000);
    private char high; // the first half of a code point; 0: none is open

    void tag() {
        digits.count = 0;
        marks.count = 0;
    }

    /// @throws TooComplexException when a row in it is too long
    void attribute(String value) throws SAXException {
        var within = new LongRows();
        within.text(value.toCharArray(), 0, value.length());
    }

    /// Takes one more piece of text.
    ///
    /// @throws TooComplexException when that makes a row too long
    void text(char[] piece, int start, int length) throws SAXException {
        for (int i = start; i < start + length; i++) {
            char c = piece[i];
            if (Character.isHighSurrogate(c)) {
                high = c;
                continue;
            }
            int codePoint = high != 0 && Character.isLowSurrogate(c) ? Character.toCodePoint(high, c) : c;
            high = 0;
            digits.take(codePoint);
            marks.take(codePoint);
        }
    }

    /// How many of a kind follow each other.
    private static final class Row {
        private static final int MOST = 1_000; // in a row in an attribute, or between two tags

        private final String what;
        private final IntPredicate kind;
        private final int mostAcross; // with tags between, which the value of an element leaves out
        private int count;
        private int across;

        Row(String what, IntPredicate kind, int mostAcross) {
            this.what = what;
            this.kind = kind;
            this.mostAcross = mostAcross;
        }

        void take(int codePoint) throws SAXException {
            if (!kind.test(codePoint)) {
                count = 0;
                across = 0;
                return;
            }
            if (++count > MOST) throw tooMany(MOST);
            if (++across > mostAcross) throw tooMany(mostAcross);
        }

        private TooComplexException tooMany(int most) {
            return new TooComplexException("more than " + most + ' ' + what + " in a row");
        }
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
