package gateway.policies.message.filter;

import gateway.json.ConfigNode;
import gateway.regex.Regex;
import java.util.List;
import java.util.Optional;

/// What matches a regular expression.
record RegexFinder(Regex regex, List<String> literals) implements TextFinder {
    RegexFinder {
        literals = List.copyOf(literals);
    }

    /// One that a definition says; what every match of it holds is found out from its text.
    static RegexFinder read(ConfigNode node) {
        Regex regex = Regex.read(node.form("RE2 expression, bounded"), false);
        return new RegexFinder(
                regex, RequiredLiteral.of(node.text()).map(List::of).orElse(List.of()));
    }

    @Override
    public Optional<int[]> next(String text, int from) {
        return regex.next(text, from).filter(place -> place[1] > place[0]);
    }
}
