package gateway.policies.message.filter;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.ConfigNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
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

    private static boolean found(RuleSet set, String text) {
        var places = new FilterPlaces(false, true, false, List.of(), List.of());
        var rule = new FilterRule("set", set.finders(), places, FilterAction.REFUSE);
        var filter = new CompiledFilter(List.of(rule), new ValueDecoding(EnumSet.noneOf(ValueDecoding.Disguise.class)));
        var scan = new FilterScan(filter, 1_000_000);
        scan.seen(text, filter.of(_ -> true), false, () -> "/query");
        return scan.problem().isPresent();
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
