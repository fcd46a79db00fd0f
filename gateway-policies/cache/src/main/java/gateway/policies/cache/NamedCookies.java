package gateway.policies.cache;

import gateway.http.HeaderText;
import gateway.http.Headers;
import gateway.json.ConfigNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Cookies by whose values answers are told apart, such as that of a currency. They are no credential; all others are
/// one, and so are all of a request whose cookies others may read in another way.
///
/// @param names in whatever case requests write them: not all servers tell that apart
record NamedCookies(List<String> names) {
    static final String FIELD = "Cookie";
    static final NamedCookies NONE = new NamedCookies(List.of());

    private static final int MOST = 32;

    NamedCookies {
        names = List.copyOf(names);
    }

    static NamedCookies read(ConfigNode node) {
        List<String> names = node.list(NamedCookies::name);
        node.extent(0, MOST);
        if (names.size() > MOST) node.problem("expected at most 32 names, got " + names.size());
        return new NamedCookies(names.stream().distinct().toList());
    }

    private static String name(ConfigNode node) {
        String name = node.like(HeaderText.TOKEN_FORM).requiredText();
        if (!name.isEmpty() && !HeaderText.isToken(name)) node.problem("expected a cookie's name, got \"" + name + '"');
        return name;
    }

    /// What of `request` is in the key, as a digest: its owner may have named a cookie that is a secret. Empty text for
    /// nothing.
    String told(Headers request) {
        if (names.isEmpty()) return "";
        List<String> lines = request.all(FIELD);
        List<String> told = pairs(lines).map(pairs -> named(pairs, true)).orElse(lines);
        return told.isEmpty() ? "" : digest(told);
    }

    private static String digest(List<String> texts) {
        var text = new KeyText();
        for (String each : texts) text.add(each);
        return text.digest();
    }

    /// Those of `request` that show who calls.
    List<String> credentials(Headers request) {
        List<String> lines = request.all(FIELD);
        return names.isEmpty()
                ? lines
                : pairs(lines).map(pairs -> named(pairs, false)).orElse(lines);
    }

    private List<String> named(List<String> pairs, boolean wanted) {
        return pairs.stream()
                .filter(pair -> ListedFields.isAmong(names, pair.substring(0, pair.indexOf('='))) == wanted)
                .toList();
    }

    /// Each cookie as it stands there; empty when there is another way to read them.
    private static Optional<List<String>> pairs(List<String> lines) {
        var pairs = new ArrayList<String>();
        for (String line : lines) {
            for (int from = 0; from <= line.length(); ) {
                int semicolon = line.indexOf(';', from);
                int end = semicolon < 0 ? line.length() : semicolon;
                String pair = line.substring(from > 0 && line.startsWith(" ", from) ? from + 1 : from, end);
                if (!isPlain(pair)) return Optional.empty();
                pairs.add(pair);
                from = end + 1;
            }
        }
        return Optional.of(pairs);
    }

    /// By RFC 6265 §4.1.1, but for quotes, which some take for a part of the value.
    private static boolean isPlain(String pair) {
        int equals = pair.indexOf('=');
        if (equals < 0 || !HeaderText.isToken(pair.substring(0, equals))) return false;
        for (int i = equals + 1; i < pair.length(); i++) {
            char c = pair.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == '"' || c == ',' || c == '\\') return false;
        }
        return true;
    }
}
