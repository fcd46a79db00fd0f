package gateway.policies.message.filter;

import java.util.List;
import java.util.Optional;

/// Looks for one thing in texts, in time linear in their length. Used by many threads at once.
interface TextFinder {
    /// Begin and end of what it finds first, from `from` on.
    Optional<int[]> next(String text, int from);

    /// Of which a text holds one, in whatever case, wherever this finds something; empty: it may find something
    /// anywhere. ASCII.
    List<String> literals();

    /// More such lists, of each of which a text holds one wherever this finds something. They are looked for where one
    /// of [#literals] is, so they may be what most texts hold.
    default List<List<String>> companions() {
        return List.of();
    }

    /// What a look at a text costs, in characters that an expression would look at.
    default long cost(int length) {
        return length;
    }
}
