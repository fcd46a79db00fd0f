package gateway.policies.cache;

import java.util.List;

/// Texts that answers have in common, each once in memory: most of what an answer's fields say is what those of the
/// last one said. What is kept for long is copied by the collector, object by object.
final class RepeatedTexts {
    private volatile List<String> lines = List.of();
    private volatile String host = "";

    /// The same texts, those of the last answer in their places where they are equal. Changes `lines`.
    List<String> lines(List<String> lines) {
        List<String> before = this.lines;
        boolean isSame = before.size() == lines.size();
        for (int i = 0; i < lines.size(); i++) {
            boolean isEqual = i < before.size() && before.get(i).equals(lines.get(i));
            if (isEqual) lines.set(i, before.get(i));
            isSame &= isEqual;
        }
        if (isSame) return before;
        List<String> now = List.copyOf(lines);
        this.lines = now;
        return now;
    }

    String host(String host) {
        String before = this.host;
        if (before.equals(host)) return before;
        this.host = host;
        return host;
    }
}
