package gateway.config;

import gateway.http.HeaderText;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.policy.AnswerCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Reads `when.answer`: all that it names must hold; of several values for one thing, one.
///
/// `{"statuses": [404, "5xx"], "headers": {"X-Beta": "*"}, "contentTypes": ["application/json"]}`.
final class AnswerConditionReader {
    private static final Pattern CLASS = Pattern.compile("[1-5]xx");

    private AnswerConditionReader() {}

    static AnswerCondition read(ConfigNode node) {
        if (!node.extent(1, Integer.MAX_VALUE).expectObject()) return AnswerCondition.ALWAYS;
        var conditions = new ArrayList<AnswerCondition>();
        addStatuses(ConditionReader.named(node.field("statuses", "such as `404` or `5xx`, one of them")), conditions);
        addHeaders(ConditionReader.named(node.field("headers", "each has this value; `*`: any")), conditions);
        MediaTypes types =
                MediaTypes.read(ConditionReader.named(node.field("contentTypes", "of the body, one of them")));
        if (!types.isEmpty()) conditions.add(answer -> types.include(answer.headers()));
        if (node.names().isEmpty()) node.problem("expected at least one condition, got {}");
        node.refuseUnknownFields();
        AnswerCondition[] each = conditions.toArray(AnswerCondition[]::new);
        return answer -> hold(each, answer);
    }

    private static boolean hold(AnswerCondition[] conditions, Response answer) {
        for (AnswerCondition condition : conditions) {
            if (!condition.holds(answer)) return false;
        }
        return true;
    }

    private static void addStatuses(ConfigNode node, List<AnswerCondition> conditions) {
        int[] statuses = node.list(AnswerConditionReader::status).stream()
                .mapToInt(status -> status)
                .toArray();
        if (statuses.length == 0) return;
        conditions.add(answer -> {
            for (int status : statuses) {
                if (status == answer.status() || status == answer.status() / 100) return true;
            }
            return false;
        });
    }

    /// A status, or the first digit of a class.
    private static int status(ConfigNode node) {
        boolean isText = node.json().filter(json -> json.isString()).isPresent();
        if (!isText) return (int) node.integer(100, 599);
        String text = node.like(CLASS).requiredText();
        if (CLASS.matcher(text).matches()) return text.charAt(0) - '0';
        if (!text.isEmpty()) node.problem("expected a status such as 404, or \"5xx\", got \"" + text + "\"");
        return 0;
    }

    private static void addHeaders(ConfigNode node, List<AnswerCondition> conditions) {
        node.namesLike(HeaderText.TOKEN_FORM).map(ConfigNode::requiredText).forEach((name, value) -> {
            if (!HeaderText.isToken(name)) node.field(name).problem("expected a header name, got \"" + name + "\"");
            conditions.add(
                    value.equals("*")
                            ? answer -> answer.headers().contains(name)
                            : answer -> answer.headers().all(name).contains(value));
        });
    }
}
