package gateway.policies.standard;

import gateway.http.HeaderText;
import gateway.http.Headers;
import gateway.json.ConfigNode;
import gateway.json.JsonSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// What is taken out of the headers of one message.
///
/// @param names of whole fields
/// @param prefixes of names, in lower case, of which none that frames the message is taken
/// @param cookies taken out of `Cookie` or, of an answer, among the lines of `Set-Cookie`
record RemovedFields(List<String> names, List<String> prefixes, List<String> cookies, boolean ofAnswers) {
    /// A star stands at the end of a beginning, and nowhere else in one.
    private static final String FORM = "{\"not\": {" + JsonSchema.pattern(Pattern.compile("(.*\\*.*)?\\*")) + "}}";

    RemovedFields {
        names = List.copyOf(names);
        prefixes = List.copyOf(prefixes);
        cookies = List.copyOf(cookies);
    }

    /// The fields `remove` and `removeCookie` of `node`.
    static RemovedFields read(ConfigNode node, boolean ofAnswers) {
        var names = new ArrayList<String>();
        var prefixes = new ArrayList<String>();
        node.field("remove", "taken out, all lines of that name; `X-Internal-*`: of all names that begin so")
                .form("header names")
                .list(RemovedFields::readName)
                .forEach(name -> {
                    if (name.endsWith("*"))
                        prefixes.add(name.substring(0, name.length() - 1).toLowerCase(Locale.ROOT));
                    else names.add(name);
                });
        List<String> cookies = node.field("removeCookie", ofAnswers ? "is not set" : "is not sent on")
                .form("names of cookies")
                .list(AnswerCookie::readName);
        return new RemovedFields(names, prefixes, cookies, ofAnswers);
    }

    private static String readName(ConfigNode node) {
        String text = node.extent(1, Integer.MAX_VALUE).obeys(FORM).text();
        if (!text.endsWith("*")) return WritableHeader.readName(node);
        String prefix = text.substring(0, text.length() - 1);
        if (!HeaderText.isToken(prefix) || prefix.indexOf('*') >= 0)
            node.problem("expected a name, or the beginning of one before \"*\", got \"" + text + "\"");
        return text;
    }

    boolean isEmpty() {
        return names.isEmpty() && prefixes.isEmpty() && cookies.isEmpty();
    }

    void apply(Headers headers) {
        for (int i = 0; i < names.size(); i++) headers.remove(names.get(i));
        if (!prefixes.isEmpty()) headers.removeAll(name -> begins(name) && !HeaderText.isReserved(name));
        for (int i = 0; i < cookies.size(); i++) {
            if (ofAnswers) removeSetCookie(headers, cookies.get(i));
            else Cookies.remove(headers, cookies.get(i));
        }
    }

    private boolean begins(String name) {
        for (int i = 0; i < prefixes.size(); i++) {
            String prefix = prefixes.get(i);
            if (name.regionMatches(true, 0, prefix, 0, prefix.length())) return true;
        }
        return false;
    }

    /// Takes out what sets the cookie `name`.
    static void removeSetCookie(Headers headers, String name) {
        List<String> lines = List.copyOf(headers.all("Set-Cookie"));
        boolean found = false;
        for (String line : lines) found |= sets(line, name);
        if (!found) return;
        headers.remove("Set-Cookie");
        for (String line : lines) if (!sets(line, name)) headers.add("Set-Cookie", line);
    }

    private static boolean sets(String line, String name) {
        int end = line.indexOf('=');
        return end >= 0 && line.substring(0, end).strip().equals(name);
    }
}
