package gateway.wire.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

final class CreditTest {
    private static final InetAddress ALICE = InetAddress.ofLiteral("203.0.113.7");
    private static final InetAddress BOB = InetAddress.ofLiteral("2001:db8::");

    private final Credit credit = new Credit();

    @Test
    void who_has_earned_nothing_has_none() {
        assertThat(credit.spend(ALICE)).isFalse();
    }

    @Test
    void two_are_earned_at_a_time_and_spent_once_and_by_nobody_else() {
        credit.earn(ALICE);

        assertThat(credit.has(BOB)).isFalse();
        assertThat(credit.spend(BOB)).isFalse();
        assertThat(credit.has(ALICE)).isTrue();
        assertThat(spent(ALICE)).isEqualTo(2);
        assertThat(credit.has(ALICE)).isFalse();
    }

    @Test
    void a_client_has_no_more_than_the_most() {
        for (int i = 0; i < Credit.MOST + 100; i++) credit.earn(ALICE);

        assertThat(spent(ALICE)).isEqualTo(Credit.MOST);
    }

    /// More than the table has places for.
    @Test
    void those_who_earn_once_take_little_from_who_has_earned_much() {
        for (int i = 0; i < Credit.MOST; i++) credit.earn(ALICE);
        for (int i = 0; i < 100_000; i++)
            credit.earn(InetAddress.ofLiteral("10." + (i >> 16) + "." + ((i >> 8) & 255) + "." + (i & 255)));

        assertThat(spent(ALICE)).isEqualTo(Credit.MOST);
    }

    private int spent(InetAddress client) {
        int spent = 0;
        while (credit.spend(client)) spent++;
        return spent;
    }
}
