package gateway.policies.standard;

import gateway.json.ConfigNode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// An answer that [MockResponse] gives to whoever asks for it by `Prefer` (RFC 7240): by its status, `code=404`, or by
/// its name, `example=missing`.
record MockExample(String name, MockAnswer answer) {
    private static final int MOST = 100;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,100}");

    static List<MockExample> readAll(ConfigNode node, boolean templates) {
        List<MockExample> examples = node.list(each -> read(each, templates));
        node.extent(0, MOST);
        if (examples.size() > MOST) node.problem("expected at most " + MOST + " examples, got " + examples.size());
        if (examples.stream().map(MockExample::name).distinct().count() < examples.size()) {
            node.problem("expected each name once");
        }
        return examples;
    }

    private static MockExample read(ConfigNode node, boolean templates) {
        var name = node.field("name", "letters, digits and `_.-`");
        String text = name.like(NAME).requiredText();
        if (!text.isEmpty() && !NAME.matcher(text).matches()) {
            name.expected("1 to 100 letters, digits and \"_.-\"");
        }
        return new MockExample(text, MockAnswer.read(node, templates));
    }

    /// Where the first of `examples` stands that `fields` ask for by both, or the one of both that they name.
    ///
    /// @param fields the values of `Prefer`
    static Optional<Integer> preferred(List<MockExample> examples, List<String> fields) {
        Optional<String> code = Preferences.of("code", fields);
        Optional<String> name = Preferences.of("example", fields);
        if (code.isEmpty() && name.isEmpty()) return Optional.empty();
        for (int i = 0; i < examples.size(); i++) {
            MockExample each = examples.get(i);
            boolean isCode = code.isEmpty() || code.get().equals(Integer.toString(each.answer.status()));
            if (isCode && (name.isEmpty() || name.get().equals(each.name))) return Optional.of(i);
        }
        return Optional.empty();
    }
}
