package gateway.regex;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.Json;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RegexTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long MOST_BYTES = 6 << 20; // garbage but for a tenth, see decision 134
    private static final int SMALL_STACK = 768 << 10; // three quarters of what threads have, see decision 134

    /// Pieces of expressions, right and wrong ones, and what makes programs large.
    private static final List<String> PIECES = List.of(
            "a",
            "b",
            "0",
            "-",
            ":",
            ",",
            "é",
            "\u4e00",
            "\u1c7f",
            ".",
            "^",
            "$",
            "|",
            "|",
            "(",
            "(",
            "(?:",
            "(?i)",
            "(?i:",
            "(?P<n>",
            "(?-",
            ")",
            ")",
            ")",
            "[",
            "[^",
            "]",
            "]",
            "[a-z]",
            "[:alpha:]",
            "[:",
            "-]",
            "\\",
            "\\Q",
            "\\E",
            "\\d",
            "\\W",
            "\\pL",
            "\\p{Greek}",
            "\\P{^L}",
            "\\x{41}",
            "\\x{1c",
            "\\101",
            "\\8",
            "\\é",
            "\\]",
            "*",
            "+",
            "?",
            "{2}",
            "{3,}",
            "{0,40}",
            "{1000}",
            "{1,1000}",
            "{",
            "}",
            "{0}",
            "{,2}",
            "{02}",
            "&",
            "\n");

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "((a{1000}){1000}){1000} 1002002002",
                "(?:a{1,100}){100} 19902",
                "((a{100})+){100} 10602",
                "(?:a|b{1000}){4} 4010",
                "(?:[a-z]{1000}\\d{1000}){2} 4002",
                "(?i)a{1000}(?i){1000} 1000002",
                "\\Qab\\E{3001} 3004",
                "[]a]{1000}(?:x){3000} 4002",
                "[!-[:a:](?:a{1000}){1000}x] 1000005",
            })
    void repetitions_are_written_out_before_they_are_compiled(String text, long instructions) {
        assertThat(problems(text))
                .containsExactly("expected at most 3000 instructions, repetitions written out, got " + instructions);
    }

    @Test
    void depth_and_length_are_bounded() {
        assertThat(problems("(".repeat(100_000))).containsExactly("expected at most 1000 characters, got 100000");
        assertThat(problems("(".repeat(101) + "a" + ")".repeat(101)))
                .containsExactly("expected at most 100 groups within each other, got 101");
        assertThat(problems("(".repeat(1_000)))
                .containsExactly("expected at most 100 groups within each other, got 1000");
        assertThat(problems("(".repeat(100) + "a" + ")".repeat(100))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v[12]/.*",
                "/users/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
                "(?i)/(?P<name>[\\p{L}\\p{N}_-]{1,255})/?",
                "/(?:[A-Za-z0-9_-]{1,64}/){0,20}",
                "[^/]{0,1000}",
                "(?i)[à-ÿα-ω]{1,100}",
                "(a+)+$",
            })
    void what_people_write_is_taken(String text) {
        assertThat(problems(text)).isEmpty();
    }

    @Test
    void what_is_no_expression_is_told_as_re2_tells_it() {
        assertThat(problems("/(?=a)"))
                .containsExactly("expected a regular expression in RE2 syntax: error parsing regexp: invalid or"
                        + " unsupported Perl syntax: `(?=`");
    }

    @Test
    void all_expressions_of_a_document_are_bounded_together() {
        var node = ConfigNode.parse(Json.compact(Json.mapper()
                .valueToTree(
                        IntStream.range(0, 60).mapToObj(_ -> "a{1000}a{1000}").toList())));

        node.list(each -> Regex.read(each, false));

        assertThat(node.problems())
                .extracting(ConfigProblem::toString)
                .hasSize(11)
                .startsWith("/49: expected at most 100000 characters and instructions in all regular expressions,"
                        + " got 100800");
    }

    /// Seen with RE2/J 1.8 on a JDK that knows Unicode 9 or later: the compilation runs for ever.
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void characters_whose_folding_does_not_end_are_refused_where_case_does_not_matter() {
        String flaw = "expected no characters whose upper case RE2 does not know, such as U+1C80, where case does not"
                + " matter";

        assertThat(problems("\u1c80", true)).containsExactly(flaw);
        for (String text : List.of("(?i)\u1c88", "(?s-m:a)(?mi:\\x{1c80})", "(?i)[B-\\x{1e900}]", "(?i)\\Q\u1c85\\E")) {
            assertThat(problems(text)).as(text).containsExactly(flaw);
        }
        assertThat(problems("\u1c80[B-\\x{1e900}]")).isEmpty();
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void every_other_character_is_folded() {
        for (int character = 0; character < 0x20_000; character++) {
            if (Character.isSurrogate((char) character) && character <= 0xffff) continue;
            if (CaseFolding.isEndless(character, character)) {
                assertThat(character).as("what RE2/J's table lacks").isGreaterThan(0x1c7f);
                continue;
            }
            assertThat(problems("\\x{" + Integer.toHexString(character) + "}", true))
                    .isEmpty();
        }
    }

    static List<String> largest() {
        return List.of(
                "a".repeat(1_000),
                "[" + ideographs(998) + "]",
                String.join("|", ideographs(500).split("")),
                "\\p{Ll}|\\p{Lu}|".repeat(9) + "a",
                "(?i)" + "\\p{Ll}|\\p{Lu}|".repeat(9) + "a",
                "(?i)[B-\\x{1c7f}]|".repeat(6) + "a",
                "(?i)" + "[\\x{100}-\\x{24f}]|".repeat(43),
                "(a*){590}",
                "((a*)*){320}",
                "(?:a?){1000}",
                "(){990}",
                "(?:a{0,50}){28}",
                "(?:|||){400}",
                "(?:|a)*".repeat(140),
                "(?:(?:a{0,10}){0,10}){0,14}",
                "(?:ab|a".repeat(99) + "b" + ")".repeat(99),
                "(?:".repeat(99) + "a" + ")*".repeat(99),
                "[a-z]|".repeat(160),
                "(?i)".repeat(250),
                "|".repeat(1_000));
    }

    @ParameterizedTest
    @MethodSource("largest")
    void the_largest_that_is_taken_is_cheap_to_compile_and_to_match_on_a_small_stack(String text) throws Exception {
        assertThat(problems(text)).isEmpty();
        var found = new boolean[1];
        var matching = new Thread(null, () -> found[0] = matches(text), "small stack", SMALL_STACK);

        matching.start();
        matching.join(TimeUnit.MINUTES.toMillis(1));

        assertThat(found[0]).isTrue();
        assertCheap(text, false);
    }

    @Property(tries = 20_000)
    void any_text_is_refused_or_cheap_and_never_larger_than_told(
            @ForAll("expressions") String text, @ForAll boolean ignoreCase) {
        assertCheap(text, ignoreCase);
    }

    @Provide
    Arbitrary<String> expressions() {
        Arbitrary<String> noise =
                Arbitraries.of(PIECES).list().ofMinSize(1).ofMaxSize(40).map(pieces -> String.join("", pieces));
        Arbitrary<String> nested = Arbitraries.lazyOf(
                () -> Arbitraries.of("a", "[a-z]", "\\pL", ".", "", "ab", "\\d"),
                () -> Combinators.combine(expressions(), expressions()).as((a, b) -> a + "|" + b),
                () -> Combinators.combine(expressions(), expressions()).as((a, b) -> a + b),
                () -> Combinators.combine(
                                expressions(), Arbitraries.of("*", "+", "?", "{7}", "{2,}", "{0,9}", "{1000}"))
                        .as((a, repeat) -> "(?:" + a + ")" + repeat),
                () -> expressions().map(a -> "(" + a + ")"));
        return Arbitraries.oneOf(noise, nested);
    }

    private static void assertCheap(String text, boolean ignoreCase) {
        var node = ConfigNode.of(Json.mapper().getNodeFactory().stringNode(text));
        long before = THREADS.getCurrentThreadAllocatedBytes();

        Regex regex = Regex.read(node, ignoreCase);

        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).as(text).isLessThan(MOST_BYTES);
        if (!node.hasProblems()) {
            assertThat((long) regex.pattern().programSize())
                    .as(text)
                    .isLessThanOrEqualTo(RegexSize.of(text, ignoreCase).instructions());
        }
    }

    private static boolean matches(String text) {
        Regex regex = Regex.read(ConfigNode.of(Json.mapper().getNodeFactory().stringNode(text)), false);
        for (String path : List.of("", "/", "a".repeat(200), ideographs(10))) {
            if (regex.matches(path) && path.equals("/never")) return false;
        }
        return true;
    }

    private static List<String> problems(String text) {
        return problems(text, false);
    }

    private static List<String> problems(String text, boolean ignoreCase) {
        var node = ConfigNode.of(Json.mapper().getNodeFactory().stringNode(text));
        Regex.read(node, ignoreCase);
        return node.problems().stream().map(ConfigProblem::message).toList();
    }

    private static String ideographs(int count) {
        return IntStream.range(0, count)
                .map(i -> 0x4e00 + 2 * i)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
