package gateway.policies.message.graphql;

import gateway.json.ConfigNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// How the cost of documents is counted: a field is one, times the lengths of the lists that it stands in.
///
/// @param limit of one request
/// @param lists arguments that say how long a list may get
/// @param usual length where such an argument says none
record CostRule(long limit, Set<String> lists, long usual) {
    private static final Pattern NAME = Pattern.compile("[_A-Za-z][_0-9A-Za-z]{0,63}");
    private static final Pattern NUMBER =
            Pattern.compile("[+-]?(?:[0-9]++(?:\\.[0-9]*+)?|\\.[0-9]++)(?:[eE][+-]?[0-9]++)?");
    private static final int LONGEST_NUMBER = 64; // characters that are computed with
    private static final List<String> USUAL_LISTS = List.of("first", "last", "limit");
    private static final long MOST = 1_000_000_000;
    private static final int MOST_NAMES = 100;
    private static final BigDecimal LONGEST = BigDecimal.valueOf(ListLength.MOST);

    CostRule {
        lists = Set.copyOf(lists);
    }

    static CostRule read(ConfigNode node) {
        node.requireObject();
        long limit =
                node.field("limit", "of all documents of a request together").integer(1, MOST);
        ConfigNode listsNode = node.field("lists", "arguments that say how long a list may get, 1 to 100")
                .form("names")
                .unlessGiven("`" + String.join("`, `", USUAL_LISTS) + "`");
        List<String> lists = listsNode.list(CostRule::name);
        listsNode.extent(1, MOST_NAMES);
        if (listsNode.isPresent() && (lists.isEmpty() || lists.size() > MOST_NAMES))
            listsNode.problem("expected 1 to " + MOST_NAMES + " names, got " + lists.size());
        long usual = node.field("default", "length where such an argument says none, or 0 or less")
                .integer(1, MOST, 10);
        node.refuseUnknownFields();
        return new CostRule(limit, new TreeSet<>(listsNode.isPresent() ? lists : USUAL_LISTS), usual);
    }

    private static String name(ConfigNode node) {
        String name = node.like(NAME).requiredText();
        if (!name.isEmpty() && !NAME.matcher(name).matches()) node.expected("an argument's name");
        return name;
    }

    /// What a text is good for in its place: servers may make the number of it that it writes, and of others, such as
    /// `1_00`, `0x64` or digits of other scripts, one that is not foreseen. A blank one is taken for 0.
    long length(String text) {
        String number = text.strip();
        if (number.isEmpty()) return usual;
        if (!NUMBER.matcher(number).matches()) return ListLength.MOST;
        if (number.length() > LONGEST_NUMBER) return ListLength.MOST;
        try {
            return length(new BigDecimal(number));
        } catch (NumberFormatException _) { // its exponent is out of bounds
            return ListLength.MOST;
        }
    }

    /// What a number is good for that is said of a list: servers take 0 and less for no limit.
    long length(BigDecimal number) {
        if (number.compareTo(BigDecimal.ONE) < 0) return usual;
        return number.min(LONGEST).setScale(0, RoundingMode.CEILING).longValue();
    }
}
