package gateway.policies.message.filter;

import gateway.http.HeaderText;
import gateway.json.ConfigNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Where a rule looks.
///
/// @param header lower case
/// @param body places in JSON, with all below them, whose segments may be `*`; an empty one is the whole body, of
///     whatever type
record FilterPlaces(boolean path, boolean query, boolean headers, List<String> header, List<List<String>> body) {
    private static final String HEADER = "header:";
    private static final String BODY = "body:/";
    private static final Pattern FORM =
            Pattern.compile("path|query|headers|body|body:/[\\s\\S]*|header:" + HeaderText.TOKEN_FORM.pattern());
    private static final int MOST = 20;
    private static final int LONGEST = 1_000;

    FilterPlaces {
        header = List.copyOf(header);
        body = List.copyOf(body);
    }

    static FilterPlaces read(ConfigNode node) {
        List<String> said = node.isPresent()
                ? node.list(each -> each.like(FORM).extent(1, LONGEST).requiredText())
                : usual(node);
        node.extent(1, MOST);
        if (said.isEmpty() || said.size() > MOST) node.problem("expected 1 to " + MOST + " places, got " + said.size());
        var header = new ArrayList<String>();
        var body = new ArrayList<List<String>>();
        for (String each : said) {
            if (each.length() <= LONGEST
                    && each.startsWith(HEADER)
                    && HeaderText.isToken(each.substring(HEADER.length())))
                header.add(each.substring(HEADER.length()).toLowerCase(Locale.ROOT));
            else if (each.equals("body")) body.add(List.of());
            else if (each.startsWith(BODY) && each.length() <= LONGEST)
                body.add(List.of(each.substring(BODY.length()).split("/", -1)));
            else if (!each.isEmpty() && !List.of("path", "query", "headers").contains(each))
                node.problem(
                        "expected path, query, headers, header:<name>, body or body:/<pointer>, got \"" + each + '"');
        }
        return new FilterPlaces(said.contains("path"), said.contains("query"), said.contains("headers"), header, body);
    }

    private static List<String> usual(ConfigNode node) {
        node.unlessGiven("`query`, `body`").list(each -> each.like(FORM).requiredText());
        return List.of("query", "body");
    }

    /// @param name lower case
    boolean inHeader(String name) {
        return headers || header.contains(name);
    }

    boolean inBody() {
        return !body.isEmpty();
    }

    /// Whether it looks at a value of a JSON body.
    ///
    /// @param way the names and numbers that lead to it
    boolean inBody(List<String> way) {
        for (List<String> each : body) if (leads(each, way)) return true;
        return false;
    }

    private static boolean leads(List<String> place, List<String> way) {
        if (place.size() > way.size()) return false;
        for (int i = 0; i < place.size(); i++) {
            String segment = place.get(i).replace("~1", "/").replace("~0", "~");
            if (!segment.equals("*") && !segment.equals(way.get(i))) return false;
        }
        return true;
    }
}
