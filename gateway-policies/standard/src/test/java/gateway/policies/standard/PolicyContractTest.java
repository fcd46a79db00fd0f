package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import gateway.config.ApiDefinition;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.Json;
import gateway.policy.FakeServices;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicyType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What every policy owes: a page whose example holds, a test, and a reader that no input breaks.
final class PolicyContractTest {
    private static final Path PAGES = Path.of("../../docs/policies");
    private static final Pattern EXAMPLE = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);

    static Stream<PolicyType> types() {
        return ServiceLoader.load(PolicyType.class).stream().map(ServiceLoader.Provider::get);
    }

    @ParameterizedTest
    @MethodSource("types")
    void is_named_in_kebab_case(PolicyType type) {
        assertThat(type.name()).matches("[a-z]+(-[a-z]+)*");
    }

    @ParameterizedTest
    @MethodSource("types")
    void has_a_page_whose_example_is_read_without_problems(PolicyType type) throws IOException {
        var node = definition(example(type));

        ApiDefinition api = reader().read(node);

        assertThat(node.problems()).isEmpty();
        assertThat(api.policies()).extracting("step").startsWith(type.name());
    }

    @ParameterizedTest
    @MethodSource("types")
    void has_a_page_that_names_every_field_of_its_example(PolicyType type) throws IOException {
        String page = page(type);

        assertThat(example(type).propertyNames().stream().filter(name -> !name.equals("type")))
                .allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
        assertThat(page)
                .startsWith("# " + type.name() + "\n")
                .contains("## Answers", "## Order", "## Cost", "## Notes");
    }

    @ParameterizedTest
    @MethodSource("types")
    void compiles_from_the_example_of_its_page(PolicyType type) throws IOException {
        var spec = type.read(ConfigNode.of(example(type)));

        assertThatCode(() -> spec.compile(new PolicyPlace("orders", type.name()), new FakeServices()))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("types")
    void has_a_test(PolicyType type) {
        String policy = type.getClass().getEnclosingClass().getName();

        assertThatCode(() -> Class.forName(policy + "Test")).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("types")
    void reports_an_unknown_field(PolicyType type) throws IOException {
        var json = example(type).put("colour", "blue");
        var node = definition(json);

        reader().read(node);

        assertThat(node.problems()).containsExactly(new ConfigProblem("/policies/0/colour", "unknown field"));
    }

    @ParameterizedTest
    @MethodSource("types")
    void reports_each_field_of_a_wrong_kind_under_its_pointer(PolicyType type) throws IOException {
        for (String name : example(type).propertyNames()) {
            if (name.equals("type") || name.equals("json")) continue;
            var json = example(type);
            json.set(name, Json.parse("[[{}]]"));
            var node = definition(json);

            reader().read(node);

            assertThat(node.problems())
                    .as(name)
                    .anyMatch(problem -> problem.pointer().startsWith("/policies/0/" + name));
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void survives_an_empty_object(PolicyType type) {
        assertThatCode(() -> type.read(ConfigNode.parse("{}"))).doesNotThrowAnyException();
    }

    @Property(tries = 500)
    void survives_any_json(@ForAll("policies") JsonNode json) {
        assertThat(types()).allSatisfy(type -> {
            var node = ConfigNode.of(json);
            type.read(node);
            node.refuseUnknownFields();
        });
    }

    @Provide
    Arbitrary<JsonNode> policies() throws IOException {
        List<String> names =
                types().flatMap(PolicyContractTest::fields).distinct().sorted().toList();
        Arbitrary<JsonNode> text = Arbitraries.oneOf(
                        Arbitraries.strings().ofMaxLength(12),
                        Arbitraries.of(
                                "*", "/", "/{id}", "[", "{x}", "{", "1s", "1MiB", "10.0.0.0/8", "key", "header:"),
                        Arbitraries.of("https://*.a", "$2b$12$", "month", "GET", "Host", "a:b", "99999999999d"))
                .map(value -> Json.mapper().getNodeFactory().stringNode(value));
        Arbitrary<JsonNode> leaf = Arbitraries.oneOf(
                text,
                Arbitraries.of("null", "true", "-1", "0", "5", "1e300", "9e99").map(Json::parse));
        return tree(
                leaf,
                Arbitraries.frequencyOf(
                        net.jqwik.api.Tuple.of(9, Arbitraries.of(names)),
                        net.jqwik.api.Tuple.of(1, Arbitraries.strings().ofMaxLength(5))),
                3);
    }

    private static Arbitrary<JsonNode> tree(Arbitrary<JsonNode> leaf, Arbitrary<String> names, int depth) {
        if (depth == 0) return leaf;
        var inner = tree(leaf, names, depth - 1);
        Arbitrary<JsonNode> array = inner.list().ofMaxSize(3).map(elements -> {
            var node = Json.mapper().createArrayNode();
            elements.forEach(node::add);
            return node;
        });
        Arbitrary<JsonNode> object = Arbitraries.maps(names, inner).ofMaxSize(8).map(members -> {
            var node = Json.mapper().createObjectNode();
            members.forEach(node::set);
            return node;
        });
        return Arbitraries.oneOf(leaf, array, object);
    }

    /// Every name of a member in the example, at any depth.
    private static Stream<String> fields(PolicyType type) {
        try {
            return names(example(type));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Stream<String> names(JsonNode node) {
        return Stream.concat(
                node.propertyNames().stream(), node.values().stream().flatMap(PolicyContractTest::names));
    }

    private static DefinitionReader reader() {
        return new DefinitionReader(PolicyRegistry.load());
    }

    private static ConfigNode definition(JsonNode policy) {
        var json = (ObjectNode) Json.parse("""
                {"id": "orders", "match": {"path": "/orders"}, "upstream": {"targets": [{"url": "http://10.0.0.1"}]}}
                """);
        json.putArray("policies").add(policy);
        return ConfigNode.of(json);
    }

    private static ObjectNode example(PolicyType type) throws IOException {
        var match = EXAMPLE.matcher(page(type));
        assertThat(match.find()).as("an example in " + type.name() + ".md").isTrue();
        return (ObjectNode) Json.parse(match.group(1));
    }

    private static String page(PolicyType type) throws IOException {
        return Files.readString(PAGES.resolve(type.name() + ".md"));
    }
}
