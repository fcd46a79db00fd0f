package gateway.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class DescriptionTest {
    private enum Colour {
        DARK_RED,
        BLUE
    }

    @Test
    void what_a_reader_asks_for_is_described() {
        assertThat(schema(node -> {
                    node.field("name", "of it").like(Pattern.compile("[a-z]+")).requiredText();
                    node.field("note").text("none");
                    node.field("on").bool(true);
                    node.field("count").integer(1, 9, 2);
                    node.field("per").duration(Duration.ofSeconds(1), Duration.ofDays(1));
                    node.field("most").size(0, 1024, 512);
                    node.field("share").share(0.5);
                    node.field("at").optionalInstant();
                    node.field("colour").choice(Colour.BLUE);
                    node.field("tags").list(ConfigNode::requiredText);
                    node.field("data").map(ConfigNode::text);
                    node.field("any").json();
                    node.refuseUnknownFields();
                }))
                .isEqualTo(Json.parse("""
                    {"type": "object", "required": ["name", "per"], "additionalProperties": false, "properties": {
                      "name": {"type": "string", "minLength": 1, "description": "of it", "pattern": "^[a-z]+$"},
                      "note": {"type": ["string", "null"], "default": "none"},
                      "on": {"type": ["boolean", "null"], "default": true},
                      "count": {"type": ["integer", "null"], "minimum": 1, "maximum": 9, "default": 2},
                      "per": {"type": "string", "pattern": "PER"},
                      "most": {"type": ["integer", "string", "null"], "minimum": 0, "maximum": 1024,
                        "pattern": "SIZE", "default": 512},
                      "share": {"type": ["number", "null"], "minimum": 0, "maximum": 1, "default": 0.5},
                      "at": {"type": ["string", "null"], "format": "date-time",
                        "pattern": "TIME"},
                      "colour": {"enum": ["dark-red", "blue", null], "default": "blue"},
                      "tags": {"type": ["array", "null"], "items": {"type": "string", "minLength": 1}},
                      "data": {"type": ["object", "null"], "additionalProperties": {"type": ["string", "null"]}},
                      "any": {}}}""".replace("PER", NumberPattern.of(Duration.ofSeconds(1), Duration.ofDays(1)))
                        .replace("SIZE", NumberPattern.ofSize(0, 1024))
                        .replace(
                                "TIME",
                                "^[^.Zz]{19}(\\\\.[0-9]{1,9})?([Zz]|[+-](0[0-9]|1[0-7]):[0-5][0-9]|[+-]18:00)$")));
    }

    @Test
    void how_much_stands_somewhere_and_under_which_names_is_described() {
        assertThat(schema(node -> {
                    node.field("list").extent(1, 9).list(ConfigNode::requiredText);
                    node.field("map")
                            .extent(1, Integer.MAX_VALUE)
                            .namesLike(Pattern.compile("a|b"))
                            .map(ConfigNode::text);
                    node.field("text").extent(0, 5).text();
                    node.field("values").scalars(3);
                }))
                .isEqualTo(Json.parse("""
                    {"type": "object", "properties": {
                      "list": {"type": ["array", "null"], "items": {"type": "string", "minLength": 1},
                        "minItems": 1, "maxItems": 9},
                      "map": {"type": ["object", "null"], "additionalProperties": {"type": ["string", "null"]},
                        "propertyNames": {"pattern": "^(a|b)$"}, "minProperties": 1},
                      "text": {"type": ["string", "null"], "minLength": 0, "maxLength": 5},
                      "values": {"anyOf": [{"type": ["string", "number", "boolean"]},
                        {"type": "array", "items": {"type": ["string", "number", "boolean"]}}, {"type": "null"}],
                        "minItems": 1, "maxItems": 3}}}"""));
    }

    @Test
    void null_may_stand_where_something_may_be_left_out() {
        assertThat(schema(node -> {
                    node.field("names").list(ConfigNode::requiredText);
                    node.field("marks").list(ConfigNode::text);
                    node.field("tree").named("Tree", DescriptionTest::tree);
                    node.field("needed").named("Tree", DescriptionTest::tree).requireObject();
                    var fruit = node.field("fruit");
                    fruit.alternative("apple", here -> here.field("sweet").bool(true));
                }))
                .isEqualTo(Json.parse("""
                    {"type": "object", "required": ["needed"], "properties": {
                      "names": {"type": ["array", "null"], "items": {"type": "string", "minLength": 1}},
                      "marks": {"type": ["array", "null"], "items": {"type": ["string", "null"]}},
                      "tree": {"anyOf": [{"$ref": "#/Tree"}, {"type": "null"}]},
                      "needed": {"$ref": "#/Tree"},
                      "fruit": {"oneOf": [{"type": "object",
                        "properties": {"sweet": {"type": ["boolean", "null"], "default": true}}, "title": "apple"},
                        {"type": "null"}]}}}"""));
    }

    @Test
    void what_holds_of_several_fields_together_is_described() {
        JsonNode all = schema(node -> {
                    for (String name : List.of("a", "b", "c")) node.field(name).text();
                    node.one("a", "b").some("b", "c").apart("a", "c").beside("a", "b");
                    node.onlyWhere("a", "d", true, "x").neededWhere("b", "d", false, "y");
                })
                .get("allOf");

        assertThat(all).isEqualTo(Json.parse("""
            [{"oneOf": [A, B]}, {"anyOf": [B, C]}, {"if": A, "then": {"not": {"anyOf": [C]}}}, {"if": B, "then": A},
             {"if": A, "then": {"properties": {"d": {"enum": ["x", null]}}}},
             {"if": {"required": ["d"], "properties": {"d": {"enum": ["y"]}}}, "then": B}]""".replaceAll(
                        "([ABC])",
                        "{\"required\": [\"$1\"], \"properties\": {\"$1\": {\"not\": {\"type\": \"null\"}}}}")
                .replace("\"A\"", "\"a\"")
                .replace("\"B\"", "\"b\"")
                .replace("\"C\"", "\"c\"")));
    }

    @Test
    void what_only_a_schema_of_its_own_says_is_described() {
        assertThat(schema(node -> {
                    node.field("list").unique().list(ConfigNode::requiredText);
                    node.field("word")
                            .obeys("{\"not\": {\"enum\": [\"a\"]}}")
                            .obeys("{" + JsonSchema.pattern(Pattern.compile("a|b")) + "}")
                            .text();
                }))
                .isEqualTo(Json.parse("""
                    {"type": "object", "properties": {
                      "list": {"type": ["array", "null"], "items": {"type": "string", "minLength": 1},
                        "allOf": [{"uniqueItems": true}]},
                      "word": {"type": ["string", "null"],
                        "allOf": [{"not": {"enum": ["a"]}}, {"pattern": "^(a|b)$"}]}}}"""));
    }

    @Test
    void a_field_that_another_opens_is_found_and_is_not_required() {
        assertThat(schema(node -> {
                    if (node.field("colour").choice(Colour.BLUE) == Colour.DARK_RED)
                        node.field("depth").integer(1, 3);
                    var other = node.field("other");
                    if (other.isPresent()) other.bool(false);
                    else node.field("instead").requiredText();
                }))
                .isEqualTo(Json.parse("""
                    {"type": "object", "properties": {
                      "colour": {"enum": ["dark-red", "blue", null], "default": "blue"},
                      "other": {"type": ["boolean", "null"]},
                      "depth": {"type": ["integer", "null"], "minimum": 1, "maximum": 3},
                      "instead": {"type": ["string", "null"], "minLength": 1}}}"""));
    }

    @Test
    void what_stands_in_something_that_another_field_opens_is_required_there() {
        JsonNode properties = schema(node -> {
                    var kept = node.field("kept");
                    if (node.field("many").isPresent()) return;
                    if (kept.expectObject()) kept.field("for").requiredText();
                    node.field("statuses").list(each -> each.integer(200, 599));
                    node.field("url").requiredText();
                })
                .get("properties");

        assertThat(properties.at("/kept/required")).isEqualTo(Json.parse("[\"for\"]"));
        assertThat(properties.at("/statuses/items/type")).isEqualTo(Json.parse("\"integer\""));
        assertThat(properties.at("/url/type")).isEqualTo(Json.parse("[\"string\", \"null\"]"));
    }

    @Test
    void what_depends_on_another_field_is_no_default_and_no_bound() {
        assertThat(schema(node -> {
                    long requests = node.field("requests").integer(1, 100);
                    node.field("burst").unlessGiven("`requests`").integer(requests, 1000, requests);
                }))
                .isEqualTo(Json.parse("""
                    {"type": "object", "required": ["requests"], "properties": {
                      "requests": {"type": "integer", "minimum": 1, "maximum": 100},
                      "burst": {"type": ["integer", "null"], "minimum": 1, "maximum": 1000,
                        "description": "unless given: `requests`"}}}"""));
    }

    @Test
    void a_value_may_be_of_several_kinds() {
        assertThat(schema(node -> {
                    var log = node.field("log");
                    if (log.json().map(json -> json.isObject()).orElse(false))
                        log.field("on").bool(true);
                    else log.bool(false);
                }))
                .isEqualTo(Json.parse("""
                    {"type": "object", "properties": {"log": {"default": false, "anyOf": [{"type": "boolean"},
                      {"type": "object", "properties": {"on": {"type": ["boolean", "null"], "default": true}}},
                      {"type": "null"}]}}}"""));
    }

    @Test
    void what_holds_itself_has_a_name_and_is_required_by_it() {
        var description = Description.of(node -> tree(node.field("tree")));

        assertThat(Json.parse(JsonSchema.of("Wood", description).toString())).isEqualTo(Json.parse("""
            {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Wood", "type": "object",
             "required": ["tree"], "properties": {"tree": {"$ref": "#/$defs/Tree"}},
             "$defs": {"Tree": {"type": "object", "required": ["height"], "properties": {
               "height": {"type": "integer", "minimum": 1, "maximum": 100},
               "beside": {"type": ["array", "null"], "items": {"$ref": "#/$defs/Tree"}}}}}}"""));
    }

    @Test
    void what_several_kinds_hold_is_explored_once_and_stands_in_each() {
        var passes = new AtomicInteger();
        Consumer<ConfigNode> branch = node -> leaf(node.field("leaf"), passes);
        Consumer<ConfigNode> twig = node -> leaf(node.field("tip"), passes);
        Description.of(branch);
        int alone = passes.getAndSet(0);

        List<Description> both = Description.ofAll(List.of(branch, twig));

        assertThat(alone).isPositive();
        assertThat(passes).hasValue(alone);
        assertThat(both.getFirst().shapes().keySet()).containsExactly("Leaf", "Vein");
        assertThat(both.getLast().shapes()).isEqualTo(both.getFirst().shapes());
    }

    private static void leaf(ConfigNode node, AtomicInteger passes) {
        node.named("Leaf", here -> {
            passes.incrementAndGet();
            here.field("length").integer(1, 9);
            here.field("vein").named("Vein", vein -> vein.field("width").integer(1, 9));
        });
    }

    @Test
    void passes_grow_with_what_is_read_and_not_with_its_square() {
        int few = passes(10);
        int many = passes(40);

        assertThat(many).isLessThan(5 * few);
    }

    private static int passes(int fields) {
        var passes = new AtomicInteger();
        Description.of(node -> {
            passes.incrementAndGet();
            for (int i = 0; i < fields; i++) node.field("required" + i).integer(1, 9);
            for (int i = 0; i < fields; i++) node.field("optional" + i).integer(1, 9, 5);
        });
        return passes.get();
    }

    @Test
    void what_is_not_missed_beside_one_other_choice_is_not_required() {
        assertThat(schema(node -> {
                            Colour colour = node.field("colour").choice(Colour.BLUE);
                            var depth = node.field("depth");
                            if (colour == Colour.BLUE || depth.isPresent()) depth.integer(1, 3);
                            node.field("name").requiredText();
                        })
                        .get("required"))
                .isEqualTo(Json.parse("[\"name\"]"));
    }

    @Test
    void one_of_several_things_has_each_described() {
        Consumer<ConfigNode> apple =
                node -> node.field("type").only(List.of("apple")).requiredText();
        Consumer<ConfigNode> pear = node -> node.field("sweet").bool(true);

        assertThat(schema(node -> {
                    node.alternative("apple", apple);
                    node.alternative("pear", pear);
                }))
                .isEqualTo(Json.parse("""
                    {"oneOf": [
                      {"type": "object", "required": ["type"], "properties": {"type": {"enum": ["apple"]}}, "title": "apple"},
                      {"type": "object", "properties": {"sweet": {"type": ["boolean", "null"], "default": true}}, "title": "pear"}]}"""));
    }

    @Test
    void a_reader_that_breaks_is_described_as_far_as_it_goes_and_left_open() {
        assertThat(schema(node -> {
                    node.field("on").bool(true);
                    if (node.field("name").requiredText().isEmpty()) throw new IllegalStateException("checked before");
                    node.refuseUnknownFields();
                }))
                .isEqualTo(Json.parse("""
                    {"type": "object", "required": ["name"], "properties": {
                      "on": {"type": ["boolean", "null"], "default": true}, "name": {"type": "string", "minLength": 1}}}"""));
    }

    private static void tree(ConfigNode node) {
        node.named("Tree", DescriptionTest::tree);
        if (!node.requireObject()) return;
        node.field("height").integer(1, 100);
        node.field("beside").list(each -> {
            tree(each);
            return "";
        });
    }

    private static JsonNode schema(Consumer<ConfigNode> reader) {
        return Json.parse(
                new JsonSchema("#/").write(Description.of(reader).root()).toString());
    }
}
