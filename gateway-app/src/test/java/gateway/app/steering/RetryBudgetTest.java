package gateway.app.steering;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class RetryBudgetTest {
    private final Ticks ticks = new Ticks();

    @Property
    void repetitions_never_exceed_the_percentage_of_requests_rounded_up(
            @ForAll @IntRange(min = 1, max = 20) int percent, @ForAll List<Boolean> steps) {
        var budget = new RetryBudget(percent, ticks);
        int requests = 0;

        for (boolean request : steps) {
            if (request) {
                requests++;
                budget.request();
            } else {
                budget.spend();
            }
            assertThat(budget.spent()).isLessThanOrEqualTo((requests * percent + 99) / 100);
        }
    }

    @Property
    void when_every_request_fails_all_that_is_allowed_is_spent(@ForAll @IntRange(min = 1, max = 500) int requests) {
        var budget = new RetryBudget(20, ticks);

        for (int i = 0; i < requests; i++) {
            budget.request();
            budget.spend();
        }

        assertThat(budget.spent()).isEqualTo((requests * 20 + 99) / 100);
        assertThat(budget.spent() + budget.refused()).isEqualTo(requests);
    }

    @Test
    void what_breaks_at_once_may_be_repeated_up_to_what_the_last_seconds_paid_in() {
        var budget = new RetryBudget(20, ticks);
        requests(budget, 1_000);
        ticks.pass(Duration.ofSeconds(11));
        requests(budget, 1);

        assertThat(spendAll(budget)).isEqualTo(200);
    }

    @Test
    void quiet_hours_save_up_ten_repetitions_and_no_more() {
        var budget = new RetryBudget(20, ticks);
        requests(budget, 100_000);
        ticks.pass(Duration.ofHours(1));
        requests(budget, 1);

        assertThat(spendAll(budget)).isEqualTo(10);
    }

    @Test
    void few_requests_for_hours_save_up_ten_repetitions_and_no_more() {
        var budget = new RetryBudget(20, ticks);
        for (int i = 0; i < 10_000; i++) {
            requests(budget, 1);
            ticks.pass(Duration.ofSeconds(1));
        }

        assertThat(spendAll(budget)).isEqualTo(10);
    }

    private static void requests(RetryBudget budget, int number) {
        for (int i = 0; i < number; i++) budget.request();
    }

    private static int spendAll(RetryBudget budget) {
        int spent = 0;
        while (budget.spend()) spent++;
        return spent;
    }
}
