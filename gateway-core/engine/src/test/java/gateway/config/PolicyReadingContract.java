package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.Json;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicyType;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A reader that no input breaks and that names what is wrong.
abstract class PolicyReadingContract extends PolicyCases {
    private static final int WILD = 500;

    @ParameterizedTest
    @MethodSource("types")
    void is_named_in_kebab_case(PolicyType type) {
        assertThat(type.name()).matches("[a-z][a-z0-9]*(-[a-z0-9]+)*");
    }

    /// So that a start loads no library that no definition uses.
    @ParameterizedTest
    @MethodSource("types")
    void is_found_and_asked_what_it_is_without_any_library(PolicyType type) throws ReflectiveOperationException {
        PolicyType again = LibraryWatch.again(type);

        assertThat(again.name()).isEqualTo(type.name());
        assertThat(again.stages()).isEqualTo(type.stages());
        assertThat(again.outages()).isEqualTo(type.outages());
        assertThat(LibraryWatch.asked(again)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("types")
    void its_example_is_read_without_problems(PolicyType type) {
        ConfigNode node = definition(json(type));

        ApiDefinition api = reader().read(node);

        assertThat(node.problems()).isEmpty();
        assertThat(api.policies()).extracting("step").startsWith(type.name());
    }

    @ParameterizedTest
    @MethodSource("types")
    void its_example_compiles(PolicyType type) {
        var spec = reader().read(definition(json(type))).policies().getFirst().spec();

        assertThatCode(() -> spec.compile(new PolicyPlace("orders", type.name()), services(type)))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("types")
    void an_unknown_field_is_refused(PolicyType type) {
        ConfigNode node = definition(json(type).put("colour", "blue"));

        reader().read(node);

        assertThat(node.problems()).containsExactly(new ConfigProblem("/policies/0/colour", "unknown field"));
    }

    @ParameterizedTest
    @MethodSource("types")
    void each_field_of_a_wrong_kind_is_told_under_its_pointer(PolicyType type) {
        for (String name : json(type).propertyNames()) {
            if (name.equals("type") || name.equals("json")) continue;
            ObjectNode wrong = json(type);
            wrong.set(name, Json.parse("[[{}]]"));
            ConfigNode node = definition(wrong);

            reader().read(node);

            assertThat(node.problems())
                    .as(name)
                    .anyMatch(problem -> problem.pointer().startsWith("/policies/0/" + name));
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void reading_an_empty_object_throws_nothing(PolicyType type) {
        assertThatCode(() -> type.read(ConfigNode.parse("{}"))).doesNotThrowAnyException();
    }

    @Test
    void reading_whatever_json_throws_nothing() {
        List<String> names = types().stream()
                .flatMap(type -> WildJson.names(json(type)))
                .distinct()
                .toList();
        for (long seed = 0; seed < WILD; seed++) {
            JsonNode wild = WildJson.wild(new Random(seed), names, 3);
            for (PolicyType type : types()) {
                var node = ConfigNode.of(wild);
                assertThatCode(() -> {
                            type.read(node);
                            node.refuseUnknownFields();
                        })
                        .as("%s reading %s (seed %d)", type.name(), wild, seed)
                        .doesNotThrowAnyException();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void no_secret_is_told_by_what_is_made_of_it(PolicyType type) {
        var services = services(type);
        PolicyDefinition policy =
                reader().read(definition(json(type))).policies().getFirst();

        assertThat(policy.toString()).doesNotContain(SECRET);
        assertThat(policy.spec().compile(policy.placeIn("orders"), services).toString())
                .doesNotContain(SECRET);
    }
}
