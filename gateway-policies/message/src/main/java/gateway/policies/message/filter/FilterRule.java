package gateway.policies.message.filter;

import gateway.json.ConfigNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// What is looked for, where, and what becomes of the message in which it is.
record FilterRule(String name, List<TextFinder> finders, FilterPlaces places, FilterAction action) {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");
    private static final String MASKED_BODIES = """
            {"if": {"required": ["action"], "properties": {"action": {"const": "mask"}}},
             "then": {"required": ["in"], "properties": {"in": {"type": "array", "items": {"pattern": "^body"}}}}}""";
    private static final Pattern WORD = Pattern.compile("[!-~]|[!-~][ -~]{0,98}[!-~]");
    private static final int MOST_WORDS = 1_000;
    private static final int LONGEST_WORD = 100;

    FilterRule {
        finders = List.copyOf(finders);
    }

    static FilterRule read(ConfigNode node) {
        node.requireObject();
        ConfigNode nameNode =
                node.field("name", "told to the client and in records").like(NAME);
        String name = nameNode.requiredText();
        if (!name.isEmpty() && !NAME.matcher(name).matches()) nameNode.expected("a name such as \"sql\"");
        List<TextFinder> finders = finders(node);
        FilterPlaces places = FilterPlaces.read(node.field(
                        "in",
                        "`path`, `query`, `headers`, `header:<name>`, `body`, and `body:/<pointer>` for a place in"
                                + " JSON with all below it, `*` for any one name or number")
                .form("places"));
        ConfigNode actionNode = node.field(
                "action", "`refuse`: 403; `mask`: what is found in a body becomes `***`; `report`: it is recorded");
        FilterAction action = actionNode.choice(FilterAction.REFUSE);
        boolean elsewhere = places.path()
                || places.query()
                || places.headers()
                || !places.header().isEmpty();
        node.obeys(MASKED_BODIES);
        if (action == FilterAction.MASK && elsewhere) actionNode.problem("expected `mask` in bodies alone");
        node.refuseUnknownFields();
        return new FilterRule(name, finders, places, action);
    }

    private static List<TextFinder> finders(ConfigNode node) {
        ConfigNode regex = node.field("regex", "what matches it in linear time; this, `words` or `set`")
                .form("RE2 expression, bounded");
        ConfigNode words = node.field("words", "whole words in whatever case, of ASCII; 1 to 1,000");
        ConfigNode set = node.field("set", "rules that have a name, see below");
        regex.extent(1, Integer.MAX_VALUE);
        int said = (regex.isPresent() ? 1 : 0) + (words.isPresent() ? 1 : 0) + (set.isPresent() ? 1 : 0);
        node.one("regex", "words", "set");
        if (said != 1) node.problem("expected one of regex, words and set, got " + said);
        List<TextFinder> finders = new ArrayList<>(words.list(FilterRule::word));
        words.extent(1, MOST_WORDS);
        if (words.isPresent() && (finders.isEmpty() || finders.size() > MOST_WORDS))
            words.problem("expected 1 to " + MOST_WORDS + " words, got " + finders.size());
        if (regex.isPresent()) finders.add(RegexFinder.read(regex));
        RuleSet named = set.unlessGiven("none").choice(RuleSet.SQL_INJECTION);
        if (set.isPresent()) finders.addAll(named.finders());
        return finders;
    }

    private static TextFinder word(ConfigNode node) {
        String word = node.like(WORD).requiredText().toLowerCase(Locale.ROOT);
        boolean plain = word.chars().allMatch(c -> c >= ' ' && c <= '~');
        node.extent(0, LONGEST_WORD);
        if (word.length() > LONGEST_WORD || !plain || !word.strip().equals(word))
            node.expected("at most " + LONGEST_WORD + " characters of ASCII, none of them blank at its ends");
        return new WordsFinder(plain && !word.isEmpty() ? word : "x");
    }
}
