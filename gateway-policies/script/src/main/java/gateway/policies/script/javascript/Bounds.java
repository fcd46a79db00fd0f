package gateway.policies.script.javascript;

import gateway.json.CombiningMarks;
import org.mozilla.javascript.EcmaError;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/// The largest that values of a script may be. What is larger is a `RangeError` of the script.
final class Bounds {
    static final int TEXT = 1 << 20; // characters
    static final int MARKS = 1_000; // in a row
    static final int ELEMENTS = 100_000;
    static final int DEPTH = 200; // of JSON
    static final int EXPRESSION = 1_000; // characters: a class of characters may take eight kilobytes

    private Bounds() {}

    static void checkText(long characters) {
        if (characters > TEXT) throw ScriptRuntime.rangeError("expected texts of at most " + TEXT + " characters");
    }

    static void checkMarks(String text) {
        int row = 0;
        for (int i = 0, c; i < text.length(); i += Character.charCount(c)) {
            c = text.codePointAt(i);
            row = CombiningMarks.include(c) ? row + 1 : 0;
            if (row > MARKS) throw ScriptRuntime.rangeError("expected at most " + MARKS + " combining marks in a row");
        }
    }

    static void checkElements(long count) {
        if (count > ELEMENTS) throw ScriptRuntime.rangeError("expected at most " + ELEMENTS + " elements");
    }

    /// A text that is taken for a list of its characters.
    static void checkElementsOfText(Object value) {
        if (value instanceof CharSequence text) checkElements(text.length());
        else if (value instanceof Scriptable object && object.getClassName().equals("String"))
            checkElements(
                    (long) ScriptRuntime.toNumber(ScriptableObject.getProperty(object, "length"))); // cannot be set
    }

    /// What all scripts share is not changed: some built-in functions would, though it is sealed.
    static void checkShared(Object value) {
        if (value instanceof ScriptableObject object && object.isSealed())
            throw ScriptRuntime.typeError("what all scripts share cannot be changed");
    }

    static EcmaError tooDeep() {
        return ScriptRuntime.rangeError("expected JSON of at most " + DEPTH + " levels");
    }

    /// @throws EcmaError unless it is an array that may be gone through
    static NativeArray list(Object value) {
        if (!(value instanceof NativeArray array)) throw ScriptRuntime.typeError("expected an array");
        checkShared(array);
        checkElements(array.getLength());
        return array;
    }
}
