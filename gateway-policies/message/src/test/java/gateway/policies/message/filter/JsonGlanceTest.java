package gateway.policies.message.filter;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Body;
import gateway.http.ContentCodings;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.UpstreamWaiter;
import gateway.policies.message.filter.ValueDecoding.Disguise;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the glance lets pass passes by the tree too, and of ordinary messages it lets pass what does.
final class JsonGlanceTest {
    private static final long EFFORT = 4_000_000;
    private static final Headers JSON = Headers.ofLines(List.of("Content-Type", "application/json"));

    /// Pieces of values: what rules look for, disguised too, and what is next to it.
    private static final List<String> TEXTS = List.of(
            "",
            "a",
            "or 1=1",
            "order",
            "Garden chair, oak",
            "<script>",
            "&lt;script&gt;",
            "%3Cscript%3E",
            "100%",
            "+49",
            "\\n",
            "\\u003cscript>",
            "\\u00e9",
            "\\ud83d",
            "é",
            "ſcript",
            "<\u017fcript>",
            "😀",
            "union select",
            "\\\"",
            "\\/",
            "union ",
            "select 1",
            "secret",
            "SECRET",
            "1e-7",
            "PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
            "\uff1cscript>",
            "\\x",
            "\u0001",
            "4111111111111111",
            "42",
            ".",
            "0");
    private static final List<String> NUMBERS = List.of(
            "0",
            "-0",
            "1",
            "-1",
            "42",
            "4.20",
            "-0.5",
            "0.0",
            "-0.0",
            "0.0000001",
            "0.12345678",
            "1e5",
            "1E-7",
            "01",
            "1.",
            ".5",
            "-",
            "4111111111111111",
            "12345678901234567890123456789012345678901234567890",
            "NaN",
            "+1");
    private static final List<String> BREAKAGE =
            List.of(",", "]", "}", "[", "{", ":", "\"", "x", "\u00a0", "\ufeff", "tru", "\\");

    private static CompiledFilter filter(FilterAction action, Set<Disguise> undone, RuleSet... sets) {
        var everywhere = new FilterPlaces(false, false, false, List.of(), List.of(List.of()));
        var rules = new ArrayList<FilterRule>();
        for (RuleSet set : sets) rules.add(new FilterRule(set.name(), set.finders(), everywhere, FilterAction.REFUSE));
        rules.add(new FilterRule(
                "word",
                List.of(new WordsFinder("secret"), new WordsFinder("42"), new WordsFinder("1e-7")),
                everywhere,
                action));
        return new CompiledFilter(rules, new ValueDecoding(undone));
    }

    @Property(tries = 4_000)
    void what_it_lets_pass_passes_by_the_tree(@ForAll long seed) {
        var random = new Random(seed);
        Set<Disguise> undone = EnumSet.noneOf(Disguise.class);
        for (Disguise each : Disguise.values()) if (random.nextInt(3) == 0) undone.add(each);
        RuleSet[] sets = random.nextInt(4) == 0
                ? new RuleSet[] {RuleSet.PAYMENT_CARD}
                : new RuleSet[] {RuleSet.SQL_INJECTION, RuleSet.CROSS_SITE_SCRIPTING};
        var filter = filter(random.nextBoolean() ? FilterAction.REFUSE : FilterAction.MASK, undone, sets);
        byte[] json = json(random);

        boolean passes = JsonGlance.passes(BodyRules.of(filter), json, EFFORT);

        if (passes)
            assertThat(passesByTree(filter, json)).as(new String(json, UTF_8)).isTrue();
        else if (isOrdinary(json))
            assertThat(passesByTree(filter, json)).as(new String(json, UTF_8)).isFalse();
    }

    private static byte[] json(Random random) {
        var text = new StringBuilder();
        append(text, random, 0);
        if (random.nextInt(4) == 0) {
            int at = random.nextInt(text.length() + 1);
            text.insert(at, BREAKAGE.get(random.nextInt(BREAKAGE.size())));
        } else if (random.nextInt(8) == 0 && !text.isEmpty()) text.deleteCharAt(random.nextInt(text.length()));
        byte[] bytes = text.toString().getBytes(UTF_8);
        return random.nextInt(30) == 0 ? text.toString().getBytes(ISO_8859_1) : bytes;
    }

    private static void append(StringBuilder text, Random random, int levels) {
        text.append(" \n".repeat(random.nextInt(2)));
        switch (levels > 4 ? 3 + random.nextInt(3) : random.nextInt(6)) {
            case 0, 1 -> {
                text.append('{');
                for (int i = random.nextInt(4); i > 0; i--) {
                    appendText(text, random);
                    text.append(random.nextBoolean() ? ":" : " : ");
                    append(text, random, levels + 1);
                    if (i > 1) text.append(',');
                }
                text.append('}');
            }
            case 2 -> {
                text.append('[');
                for (int i = random.nextInt(4); i > 0; i--) {
                    append(text, random, levels + 1);
                    if (i > 1) text.append(',');
                }
                text.append(']');
            }
            case 3 -> text.append(NUMBERS.get(random.nextInt(random.nextInt(3) == 0 ? NUMBERS.size() : 7)));
            case 4 -> text.append(List.of("true", "false", "null").get(random.nextInt(3)));
            default -> appendText(text, random);
        }
        text.append("\t ".repeat(random.nextInt(2)));
    }

    private static void appendText(StringBuilder text, Random random) {
        text.append('"');
        for (int i = random.nextInt(3); i > 0; i--) text.append(TEXTS.get(random.nextInt(TEXTS.size())));
        if (random.nextBoolean()) text.append(random.nextInt(1_000));
        text.append('"');
    }

    /// Whether it has nothing that the glance leaves to the tree, twins of names among it.
    private static boolean isOrdinary(byte[] json) {
        String text = new String(json, UTF_8);
        return !text.contains("\\") && !text.matches("(?s).*([0-9]e|E|-0|0\\.0|[0-9]{40}|\\ufeff).*");
    }

    private static boolean passesByTree(CompiledFilter filter, byte[] json) {
        var scan = new FilterScan(filter, EFFORT);
        var look = new BodyLook(BodyRules.of(filter), scan, true);
        HeldBody body = held(json);
        return look.check(body, JSON, false).isEmpty()
                && look.changed().isEmpty()
                && scan.reported().isEmpty();
    }

    private static HeldBody held(byte[] json) {
        return Body.of(json).undone(ContentCodings.ENGINE, Headers.create(), 1 << 20, UpstreamWaiter.NOBODY);
    }

    private static boolean passes(String json, RuleSet... sets) {
        var filter = filter(FilterAction.REFUSE, EnumSet.of(Disguise.URL), sets);
        return JsonGlance.passes(BodyRules.of(filter), json.getBytes(UTF_8), EFFORT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                " [ 1 , -2.50, \"\", true, false, null, {\"a\": {\"a\": {}}} ] ",
                "\"text\"",
                "7",
                "{\"name\": \"Zoë O'Brien & 100 sons\", \"said\": \"for \\\"you\\\"\\n\\u00e9\", \"order\": \"<5\"}"
            })
    void tells_of_ordinary_messages_without_a_tree(String json) {
        assertThat(passes(json, RuleSet.values())).isTrue();
    }

    @Test
    void looks_at_names_texts_and_numbers() {
        for (String json :
                new String[] {"{\"secret\": 1}", "{\"a\": [\"a secret\"]}", "[1, 42]", "[\"a\\u0020\\u0053ecret\"]"})
            assertThat(passes(json)).as(json).isFalse();
    }

    @Test
    void leaves_to_the_tree_what_is_too_deep_or_said_twice() {
        assertThat(passes("[".repeat(64) + "]".repeat(64))).isTrue();
        assertThat(passes("[".repeat(65) + "]".repeat(65))).isFalse();
        assertThat(passes("{\"a\": {\"a\": 1}, \"b\": 2}")).isTrue();
        assertThat(passes("{\"a\": {\"a\": 1}, \"a\": 2}")).isFalse();
    }

    @Test
    void large_bodies_are_not_looked_at_on_the_requests_own_thread() {
        var rules = BodyRules.of(filter(FilterAction.REFUSE, EnumSet.of(Disguise.URL)));
        var look = new BodyLook(rules, new FilterScan(rules.filter(), EFFORT), true);

        assertThat(look.passesAtOnce(held(text(32_768)), JSON)).isTrue();
        assertThat(look.passesAtOnce(held(text(32_769)), JSON)).isFalse();
        assertThat(look.check(held(text(32_769)), JSON, false)).isEmpty();
    }

    private static byte[] text(int bytes) {
        return ('"' + "a".repeat(bytes - 2) + '"').getBytes(UTF_8);
    }

    @Test
    void leaves_to_the_tree_what_takes_more_effort() {
        var filter = filter(FilterAction.REFUSE, EnumSet.noneOf(Disguise.class));
        byte[] json = "[\"secrets\", \"secrets\"]".getBytes(UTF_8);

        assertThat(JsonGlance.passes(BodyRules.of(filter), json, 14)).isTrue();
        assertThat(JsonGlance.passes(BodyRules.of(filter), json, 13)).isFalse();
    }

    @Test
    void knows_no_more_of_a_text_than_that_its_escapes_are_sound() {
        assertThat(JsonEscapes.undone("a\\u0041\\n\\/")).isEqualTo(Optional.of("aA\n/"));
        for (String broken : new String[] {"\\", "\\x", "\\u004", "\\u00g0", "\\u\uff10041"})
            assertThat(JsonEscapes.undone(broken)).as(broken).isEmpty();
    }
}
