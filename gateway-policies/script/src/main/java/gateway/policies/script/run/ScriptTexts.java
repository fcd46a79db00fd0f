package gateway.policies.script.run;

import gateway.http.HeaderText;
import java.util.List;
import java.util.Optional;

/// Texts by name, which a script reads and may change: header fields, a query.
public interface ScriptTexts {
    /// Characters of a header that a script writes.
    int LONGEST_HEADER = 8 * 1024;

    Optional<String> find(String name);

    /// Replaces all of that name.
    ///
    /// @throws IllegalArgumentException when it may not be, in words for whoever writes scripts
    void set(String name, String value);

    /// Takes all of that name out; nothing when there is none.
    ///
    /// @throws IllegalArgumentException as [#set]
    void remove(String name);

    List<String> names();

    /// @throws IllegalArgumentException unless a script may write such a header
    static void checkHeader(String name, String value) {
        if (!HeaderText.isToken(name)) throw new IllegalArgumentException("expected a header name");
        if (HeaderText.isReserved(name)) throw new IllegalArgumentException("the gateway writes " + name + " itself");
        if (value.length() > LONGEST_HEADER || !HeaderText.isValue(value))
            throw new IllegalArgumentException(name + ": expected at most " + LONGEST_HEADER
                    + " characters, and only such that may stand in a header");
    }
}
