package gateway.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ProblemsTest {
    @Test
    void a_hundred_problems_are_told_as_they_are() {
        List<ConfigProblem> problems = problems(unknown(100));

        assertThat(problems).hasSize(100).last().isEqualTo(new ConfigProblem("/nmae99", "unknown field"));
    }

    @Test
    void past_a_hundred_the_last_says_how_many_more_there_are() {
        List<ConfigProblem> problems = problems(unknown(200_000));

        assertThat(problems).hasSize(101).last().isEqualTo(new ConfigProblem("", "and 199900 more"));
    }

    @Test
    void only_the_first_unknown_fields_come_with_a_suggestion() {
        List<ConfigProblem> problems = problems(unknown(50));

        assertThat(problems.stream().filter(problem -> problem.message().contains("did you mean")))
                .hasSize(10);
    }

    @Test
    void elements_that_are_wrong_are_counted_too() {
        ConfigNode node = ConfigNode.parse("[" + "1,".repeat(149) + "1]");

        node.list(ConfigNode::text);

        assertThat(node.problemCount()).isEqualTo(150);
        assertThat(node.problems()).hasSize(101).last().isEqualTo(new ConfigProblem("", "and 50 more"));
    }

    @Test
    void problems_of_many_documents_are_cut_in_the_same_way() {
        var many = IntStream.range(0, 300)
                .mapToObj(i -> new ConfigProblem("/" + i, "wrong"))
                .toList();

        assertThat(Problems.told(many)).hasSize(101).last().isEqualTo(new ConfigProblem("", "and 200 more"));
        assertThat(Problems.told(many.subList(0, 101))).isEqualTo(many.subList(0, 101));
    }

    private static List<ConfigProblem> problems(String json) {
        ConfigNode node = ConfigNode.parse(json);
        for (int i = 0; i < 10; i++) node.field("name" + i);
        node.refuseUnknownFields();
        return node.problems();
    }

    private static String unknown(int fields) {
        return IntStream.range(0, fields)
                .mapToObj(i -> "\"nmae" + i + "\": 1")
                .collect(Collectors.joining(", ", "{", "}"));
    }

    @Test
    void of_a_long_value_both_ends_of_what_is_said_are_told() {
        ConfigNode node = ConfigNode.parse("{}");

        node.field("a").problem("expected a path, got \"" + "x".repeat(200_000) + "\"");

        assertThat(node.problems().getFirst().message())
                .hasSize(2_001)
                .startsWith("expected a path, got \"xxx")
                .contains("x…x")
                .endsWith("xxx\"");
    }
}
