package gateway.app.steering;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class RetryBudgetTest {
    @Property
    void repetitions_never_exceed_the_percentage_of_requests_rounded_up(
            @ForAll @IntRange(min = 1, max = 20) int percent, @ForAll List<Boolean> steps) {
        var budget = new RetryBudget(percent);
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
        var budget = new RetryBudget(20);

        for (int i = 0; i < requests; i++) {
            budget.request();
            budget.spend();
        }

        assertThat(budget.spent()).isEqualTo((requests * 20 + 99) / 100);
        assertThat(budget.spent() + budget.refused()).isEqualTo(requests);
    }

    @Test
    void quiet_hours_save_up_ten_repetitions_and_no_more() {
        var budget = new RetryBudget(20);
        for (int i = 0; i < 100_000; i++) budget.request();

        int spent = 0;
        while (budget.spend()) spent++;

        assertThat(spent).isEqualTo(10);
    }
}
