package gateway.policies.message.convert;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.json.Json;
import gateway.policies.message.PolicyRun;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What a style can hold comes back as it was.
final class ConvertPropertyTest {
    private static final Map<String, PolicyRun> TO_XML = runs("json-to-xml");
    private static final Map<String, PolicyRun> TO_JSON = runs("xml-to-json");

    private static Map<String, PolicyRun> runs(String request) {
        return Map.of(
                "attributes-prefixed", run(request, "attributes-prefixed"),
                "badgerfish", run(request, "badgerfish"));
    }

    private static PolicyRun run(String request, String style) {
        return PolicyRun.of("{\"type\": \"convert\", \"request\": \"" + request + "\", \"style\": \"" + style + "\"}");
    }

    @Property(tries = 100)
    void json_comes_back_from_xml_as_it_was(@ForAll("elements") JsonNode element, @ForAll("names") String name) {
        String json = Json.compact(Json.mapper().createObjectNode().set(name, element));

        String xml = converted(TO_XML.get("attributes-prefixed"), "application/json", json);
        String back = converted(TO_JSON.get("attributes-prefixed"), "application/xml", xml);

        assertThat(Json.parse(back)).as(xml).isEqualTo(Json.parse(json));
    }

    @Property(tries = 100)
    void xml_comes_back_from_json_of_each_style_as_it_was(
            @ForAll("elements") JsonNode element, @ForAll("names") String name) {
        String json = Json.compact(Json.mapper().createObjectNode().set(name, element));
        String xml = converted(TO_XML.get("attributes-prefixed"), "application/json", json);

        for (String style : List.of("attributes-prefixed", "badgerfish")) {
            String said = converted(TO_JSON.get(style), "application/xml", xml);
            String first = converted(TO_XML.get(style), "application/json", said);
            String again = converted(TO_JSON.get(style), "application/xml", first);

            assertThat(Json.parse(again)).as(xml).isEqualTo(Json.parse(said));
        }
    }

    private static String converted(PolicyRun run, String type, String content) {
        var answer =
                run.send(Exchanges.of("POST", "/").with("Content-Type", type).body(content));
        assertThat(PolicyRun.told(answer)).as(content).isEqualTo("200");
        return run.arrived();
    }

    @Provide
    Arbitrary<JsonNode> elements() {
        return elements(3);
    }

    private Arbitrary<JsonNode> elements(int depth) {
        return depth == 0 ? leaves() : Arbitraries.oneOf(leaves(), parents(depth - 1));
    }

    private Arbitrary<JsonNode> leaves() {
        return values().map(text -> (JsonNode) Json.mapper().getNodeFactory().stringNode(text));
    }

    private Arbitrary<JsonNode> parents(int depth) {
        Arbitrary<Map<String, String>> attributes = Arbitraries.maps(
                        names().filter(name -> !name.equals("xmlns")), values())
                .ofMaxSize(2);
        Arbitrary<Map<String, List<JsonNode>>> children = Arbitraries.maps(
                        names(), elements(depth).list().ofMinSize(1).ofMaxSize(3))
                .ofMinSize(1)
                .ofMaxSize(3);
        return Combinators.combine(attributes, children).as(ConvertPropertyTest::parent);
    }

    private static JsonNode parent(Map<String, String> attributes, Map<String, List<JsonNode>> children) {
        ObjectNode parent = Json.mapper().createObjectNode();
        attributes.forEach((name, value) -> parent.put("@" + name, value));
        children.forEach((name, elements) -> {
            ArrayNode array = Json.mapper().createArrayNode().addAll(elements);
            parent.set(name, elements.size() == 1 ? elements.getFirst() : array); // one is no array
        });
        return parent;
    }

    @Provide
    Arbitrary<String> names() {
        Arbitrary<String> wild = Arbitraries.strings()
                .withChars("aZ_x0049AFé.- <>&\"/~$#1\u4e2d\u0416\u0001")
                .ofMinLength(1)
                .ofMaxLength(8);
        Arbitrary<String> encoded =
                Arbitraries.of("_x0020_", "_x0041_", "_x005F_x0020_", "_x0020", "xmlns", "_x0040_a", "\ud83d\ude00");
        return Arbitraries.frequencyOf(Tuple.of(5, wild), Tuple.of(1, encoded))
                .filter(name -> !name.startsWith("@") && !name.equals("#text") && !name.equals("$"));
    }

    private static Arbitrary<String> values() {
        return Arbitraries.strings().withChars("a \t\n\r<>&\"']é\u4e2d\uffe6").ofMaxLength(10);
    }
}
