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

    /// What a look at a text costs, in characters that an expression would look at.
    default long cost(int length) {
        return length;
    }
}
