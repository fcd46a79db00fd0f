package gateway.json;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// The problems of one document as they are found: the first [#MOST] as they are, then how many more there are, so that
/// a document of nothing but problems costs little more than to read it.
public final class Problems {
    /// How many are told.
    public static final int MOST = 100;

    private static final int MOST_SUGGESTIONS = 10; // who mistypes more names meant another document

    private final List<ConfigProblem> told = new ArrayList<>();
    private long found;

    Problems() {}

    /// `problems` as they are told: all, or the first of them and how many more there are.
    public static List<ConfigProblem> told(List<ConfigProblem> problems) {
        if (problems.size() <= MOST + 1) return problems; // the last one may say that there are more
        var told = new ArrayList<>(problems.subList(0, MOST));
        told.add(more(problems.size() - MOST));
        return List.copyOf(told);
    }

    /// Whether one more would only be counted.
    boolean full() {
        return told.size() == MOST;
    }

    void add(ConfigProblem problem) {
        if (!full()) told.add(problem);
        found++;
    }

    /// One that is only counted.
    void count() {
        found++;
    }

    /// A field that nobody asked for.
    void addUnknown(String pointer, String name, Collection<String> known) {
        String suggestion = found < MOST_SUGGESTIONS
                ? Suggestion.nearest(name, known)
                        .map(near -> "; did you mean \"" + near + "\"?")
                        .orElse("")
                : "";
        add(new ConfigProblem(pointer, "unknown field" + suggestion));
    }

    long found() {
        return found;
    }

    List<ConfigProblem> told() {
        if (found == told.size()) return List.copyOf(told);
        var all = new ArrayList<>(told);
        all.add(more(found - told.size()));
        return List.copyOf(all);
    }

    private static ConfigProblem more(long count) {
        return new ConfigProblem("", "and " + count + " more");
    }
}
