package gateway.config;

import gateway.http.HeaderText;
import gateway.http.MethodList;
import gateway.http.MethodNames;
import gateway.http.PathPattern;
import gateway.json.ConfigNode;
import gateway.policy.Condition;
import gateway.policy.ConditionType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Reads `when`: all that it names must hold; of several values for one thing, one.
///
/// `{"methods": ["POST"], "paths": ["/items/{id}"], "headers": {"X-Beta": "*"},
/// "cookies": {"beta": "1"}, "query": {"v": "2"}, "consumers": ["key_01J…"], "tags": ["gold"],
/// "contentTypes": ["application/json", "text/*"], "facts": {"/jwt/tenant": "gold"}, "body": {"/type": "order"},
/// "not": {…}}`.
/// Paths are relative to the API; `"*"` as a header's, cookie's or parameter's value means any. Consumers and tags
/// hold only once the caller is known, so not for policies of an earlier stage.
final class ConditionReader {
    /// The fields that are known anyway.
    static final Set<String> FIELDS = Set.of(
            "methods",
            "paths",
            "headers",
            "cookies",
            "query",
            "consumers",
            "tags",
            "contentTypes",
            "facts",
            "body",
            "not");

    private ConditionReader() {}

    /// @param more fields than those that are known anyway
    static Condition read(ConfigNode node, Collection<? extends ConditionType> more) {
        if (!node.extent(1, Integer.MAX_VALUE).expectObject()) return Condition.ALWAYS;
        var conditions = new ArrayList<Condition>();
        addMethods(named(node.field("methods", "one of them")), conditions);
        addPaths(named(node.field("paths", "relative to the API, each with all below it")), conditions);
        addHeaders(named(node.field("headers", "each has this value; `*`: any")), conditions);
        addCookies(named(node.field("cookies", "each has this value; `*`: any")), conditions);
        addQuery(named(node.field("query", "each has this value; `*`: any")), conditions);
        addConsumers(named(node.field("consumers", "ids of callers, one of them")), conditions);
        addTags(named(node.field("tags", "of the caller, one of them")), conditions);
        addContentTypes(named(node.field("contentTypes", "of the body, one of them, such as `text/*`")), conditions);
        conditions.addAll(
                FactCondition.read(named(node.field("facts", "what policies before have found out, by JSON pointer"))));
        conditions.addAll(BodyCondition.read(named(node.field("body", "of JSON, by JSON pointer"))));
        for (ConditionType each : more) {
            ConfigNode field = node.field(each.name());
            if (field.isPresent()) conditions.add(field.attempt(() -> read(each, field), Condition.ALWAYS));
        }
        var not = node.field("not", "must not hold").named("Condition", here -> read(here, more));
        if (not.expectObject()) {
            Condition inner = read(not, more);
            conditions.add(JoinedCondition.not(inner));
        }
        if (conditions.isEmpty() && node.names().isEmpty()) node.problem("expected at least one condition, got {}");
        node.refuseUnknownFields();
        return JoinedCondition.all(conditions);
    }

    /// The same place, where nothing at all would hold always: it names one thing at least when it is there.
    static ConfigNode named(ConfigNode field) {
        boolean none = field.extent(1, Integer.MAX_VALUE)
                .json()
                .filter(json -> json.isContainer() && json.isEmpty())
                .isPresent();
        if (none) field.problem("expected at least one, got none");
        return field;
    }

    private static Condition read(ConditionType type, ConfigNode field) {
        return Objects.requireNonNull(type.read(field), "a condition");
    }

    private static void addMethods(ConfigNode node, List<Condition> conditions) {
        Set<String> methods = new HashSet<>(node.list(MethodNames::read));
        if (!methods.isEmpty()) conditions.add(exchange -> MethodList.covers(methods, exchange.method()));
    }

    private static void addPaths(ConfigNode node, List<Condition> conditions) {
        List<PathPattern> patterns = node.list(ConditionReader::readPath);
        if (!patterns.isEmpty()) conditions.add(new PathCondition(patterns));
    }

    private static PathPattern readPath(ConfigNode node) {
        String text = node.like(PathPattern.FORM).requiredText();
        var flaw = PathPattern.flaw(text);
        if (!text.isEmpty()) flaw.ifPresent(node::problem);
        return PathPattern.of(flaw.isPresent() ? "/" : text);
    }

    private static void addHeaders(ConfigNode node, List<Condition> conditions) {
        Map<String, String> expected =
                node.namesLike(HeaderText.REQUEST_NAME_FORM).map(ConfigNode::requiredText);
        expected.forEach((name, value) -> {
            if (!HeaderText.isRequestName(name)) node.field(name).problem(HeaderText.requestNameFlaw(name));
            conditions.add(
                    value.equals("*")
                            ? exchange -> exchange.headers().contains(name)
                            : exchange -> exchange.headers().all(name).contains(value));
        });
    }

    private static void addCookies(ConfigNode node, List<Condition> conditions) {
        Map<String, String> expected = node.namesLike(HeaderText.TOKEN_FORM).map(ConfigNode::requiredText);
        expected.forEach((name, value) -> {
            if (!HeaderText.isToken(name)) node.field(name).problem("expected a cookie's name, got \"" + name + "\"");
            conditions.add(exchange -> {
                var found = exchange.cookie(name);
                return found.isPresent() && (value.equals("*") || found.get().equals(value));
            });
        });
    }

    private static void addQuery(ConfigNode node, List<Condition> conditions) {
        node.map(ConfigNode::requiredText)
                .forEach((name, value) -> conditions.add(exchange -> {
                    var found = exchange.queryParameter(name);
                    return found.isPresent()
                            && (value.equals("*") || found.get().equals(value));
                }));
    }

    private static void addConsumers(ConfigNode node, List<Condition> conditions) {
        Set<String> ids = new HashSet<>(node.list(ConfigNode::requiredText));
        if (ids.isEmpty()) return;
        conditions.add(exchange -> {
            var consumer = exchange.consumer();
            return consumer.isPresent() && ids.contains(consumer.get().id());
        });
    }

    private static void addTags(ConfigNode node, List<Condition> conditions) {
        Set<String> tags = new HashSet<>(node.list(ConfigNode::requiredText));
        if (tags.isEmpty()) return;
        conditions.add(exchange -> {
            var consumer = exchange.consumer();
            if (consumer.isEmpty()) return false;
            for (String tag : consumer.get().tags()) {
                if (tags.contains(tag)) return true;
            }
            return false;
        });
    }

    private static void addContentTypes(ConfigNode node, List<Condition> conditions) {
        MediaTypes types = MediaTypes.read(node);
        if (!types.isEmpty()) conditions.add(exchange -> types.include(exchange.headers()));
    }
}
