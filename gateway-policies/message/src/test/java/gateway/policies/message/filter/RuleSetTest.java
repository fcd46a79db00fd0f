package gateway.policies.message.filter;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.ConfigNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Each set finds all of its file of hits and none of its file of misses, by the way that messages take.
final class RuleSetTest {
    @ParameterizedTest
    @EnumSource
    void finds_every_hit(RuleSet set) {
        List<String> hits = lines(set, "hits");

        assertThat(hits)
                .isNotEmpty()
                .allSatisfy(hit -> assertThat(found(set, hit)).isTrue());
    }

    @ParameterizedTest
    @EnumSource
    void finds_nothing_in_what_people_write(RuleSet set) {
        List<String> misses = lines(set, "misses");

        assertThat(misses)
                .isNotEmpty()
                .allSatisfy(miss -> assertThat(found(set, miss)).isFalse());
    }

    @ParameterizedTest
    @EnumSource
    void finds_them_within_other_text_too(RuleSet set) {
        if (set == RuleSet.SQL_INJECTION || set == RuleSet.PATH_TRAVERSAL || set == RuleSet.COMMAND_INJECTION) return;
        for (String hit : lines(set, "hits"))
            assertThat(found(set, "Look: " + hit)).as(hit).isTrue();
    }

    /// Texts of pieces of what is found and of what people write, so that many are nearly found.
    @Property(tries = 300)
    void looks_for_an_expression_wherever_it_is_beside_its_literals(@ForAll long seed, @ForAll RuleSet set) {
        var random = new Random(seed);
        List<TextFinder> finders = set.finders();
        CompiledFilter filter = filter(set);
        List<String> pieces = Stream.of("hits", "misses")
                .flatMap(kind -> lines(set, kind).stream())
                .flatMap(line -> Stream.of(line.split("(?=[^\\w])|(?<=[^\\w])", -1)))
                .toList();
        List<String> hits = lines(set, "hits");
        for (int i = 0; i < 100; i++) {
            String text = random.nextBoolean() ? made(pieces, random) : changed(hits, pieces, random);
            BitSet candidates = filter.candidates(text, filter.of(_ -> true));
            for (int id = 0; id < finders.size(); id++) {
                TextFinder finder = finders.get(id);
                boolean meant = finder.literals().isEmpty()
                        || LiteralIndex.of(List.of(finder.literals())).occursIn(text);
                if (meant && finder.next(text, 0).isPresent())
                    assertThat(candidates.get(id)).as(text).isTrue();
            }
        }
    }

    private static String made(List<String> pieces, Random random) {
        var text = new StringBuilder();
        for (int left = random.nextInt(30); left > 0; left--) text.append(pieces.get(random.nextInt(pieces.size())));
        return text.toString();
    }

    /// A hit with a piece in the place of some of its characters, in another case.
    private static String changed(List<String> hits, List<String> pieces, Random random) {
        String hit = hits.get(random.nextInt(hits.size()));
        int from = random.nextInt(hit.length() + 1);
        int to = from + random.nextInt(hit.length() - from + 1) / 4;
        String text = hit.substring(0, from) + pieces.get(random.nextInt(pieces.size())) + hit.substring(to);
        return random.nextInt(3) == 0
                ? text.toUpperCase(Locale.ROOT).replace('S', '\u017f').replace('K', '\u212a')
                : text;
    }

    @Test
    void passes_by_expressions_whose_companions_are_missing() {
        CompiledFilter filter = filter(RuleSet.SQL_INJECTION);

        assertThat(filter.candidates("Chair and table for O'Brien; 100% oak", filter.of(_ -> true)))
                .isEqualTo(new BitSet());
    }

    private static boolean found(RuleSet set, String text) {
        CompiledFilter filter = filter(set);
        var scan = new FilterScan(filter, 1_000_000);
        scan.seen(text, filter.of(_ -> true), false, () -> "/query");
        return scan.problem().isPresent();
    }

    private static CompiledFilter filter(RuleSet set) {
        var places = new FilterPlaces(false, true, false, List.of(), List.of());
        var rule = new FilterRule("set", set.finders(), places, FilterAction.REFUSE);
        return new CompiledFilter(List.of(rule), new ValueDecoding(EnumSet.noneOf(ValueDecoding.Disguise.class)));
    }

    private static List<String> lines(RuleSet set, String kind) {
        String file = ConfigNode.word(set) + '.' + kind;
        try (InputStream in = RuleSetTest.class.getResourceAsStream(file)) {
            if (in == null) throw new AssertionError(file + " is missing");
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
