package gateway.policies.message.filter;

import gateway.json.ConfigNode;
import gateway.regex.Regex;
import java.util.List;
import java.util.Optional;

/// What matches a regular expression.
record RegexFinder(Regex regex, List<String> literals, List<List<String>> companions) implements TextFinder {
    RegexFinder {
        literals = List.copyOf(literals);
        companions = List.copyOf(companions);
    }

    /// One that a definition says; what every match of it holds is found out from its text.
    static RegexFinder read(ConfigNode node) {
        Regex regex = Regex.read(node.form("RE2 expression, bounded"), false);
        List<String> literals = RequiredLiteral.of(node.text()).map(List::of).orElse(List.of());
        return new RegexFinder(regex, literals, List.of());
    }

    @Override
    public Optional<int[]> next(String text, int from) {
        return regex.next(text, from).filter(place -> place[1] > place[0]);
    }
}
