package gateway.app.entries;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class OwedGroupsTest {
    private final OwedGroups owed = new OwedGroups();

    @Test
    void a_group_is_owed_until_its_last_debt_is_settled() {
        owed.add("a");
        long debt = debt("a");
        owed.add("a");

        owed.settle("a", debt);
        assertThat(owed.contains("a")).isTrue();
        assertThat(owed.contains("b")).isFalse();
        owed.settle("a", debt("a"));

        assertThat(owed.contains("a")).isFalse();
    }

    @Test
    void everything_is_owed_until_that_debt_is_settled() {
        owed.addAll();
        long debt = owed.all();
        assertThat(owed.contains("any")).isTrue();
        owed.addAll();

        owed.settleAll(debt);
        assertThat(owed.contains("any")).isTrue();
        owed.settleAll(owed.all());

        assertThat(owed.contains("any")).isFalse();
    }

    @Test
    void no_more_than_asked_for_are_told_at_once() {
        for (int i = 0; i < 10; i++) owed.add("group-" + i);

        assertThat(owed.some(3)).hasSize(3);
    }

    @Test
    void beyond_ten_thousand_everything_is_owed() {
        for (int i = 0; i < 10_000; i++) owed.add("group-" + i);
        assertThat(owed.all()).isZero();

        owed.add("another");

        assertThat(owed.some(20_000)).hasSize(10_000);
        assertThat(owed.contains("any")).isTrue();
        owed.settleAll(owed.all());
        assertThat(owed.some(1)).isEmpty();
        assertThat(owed.contains("any")).isFalse();
    }

    @Test
    void long_names_are_bounded_by_their_characters() {
        for (int i = 0; i < 3; i++) owed.add("x".repeat(1 << 20) + i);
        assertThat(owed.all()).isZero();

        for (int i = 3; i < 100; i++) owed.add("x".repeat(1 << 20) + i);

        assertThat(owed.some(100)).hasSize(3);
        owed.settleAll(owed.all());
        owed.add("x".repeat(1 << 20));
        assertThat(owed.all()).isZero();
    }

    @Test
    void what_is_owed_after_everything_was_told_is_owed_yet() {
        for (int i = 0; i < 10_001; i++) owed.add("group-" + i);
        long all = owed.all();
        owed.add("late");

        owed.settleAll(all);

        assertThat(owed.contains("late")).isTrue();
    }

    private long debt(String group) {
        return owed.some(10).stream()
                .filter(each -> each.getKey().equals(group))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
