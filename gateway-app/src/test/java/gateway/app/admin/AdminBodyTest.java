package gateway.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.admin.AdminBody.Refusal;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

final class AdminBodyTest {
    private static final int MIB = 1024 * 1024;

    private final Semaphore places = new Semaphore(1);

    @Test
    void one_that_tells_no_length_takes_its_place_when_it_has_grown_large() {
        AdminBody body = body();
        body.expect(-1);

        add(body, 4);
        assertThat(places.availablePermits()).isOne();

        add(body, 12);
        assertThat(places.availablePermits()).isZero();
        assertThat(body.refusal()).isEqualTo(Refusal.NONE);
        assertThat(body.bytes()).hasSize(16 * MIB);

        body.release();
        assertThat(places.availablePermits()).isOne();
    }

    @Test
    void one_that_finds_no_place_is_refused_as_soon_as_it_needs_one() {
        body().expect(5 * MIB);
        AdminBody told = body();
        AdminBody untold = body();

        assertThat(told.expect(5 * MIB)).isEqualTo(Refusal.NO_PLACE);
        untold.expect(-1);
        add(untold, 5);
        assertThat(untold.refusal()).isEqualTo(Refusal.NO_PLACE);
        assertThat(untold.bytes()).isEmpty();

        untold.release();
        assertThat(places.availablePermits()).isZero();
    }

    @Test
    void one_that_grows_too_large_gives_its_place_to_others_in_the_end() {
        AdminBody body = body();
        body.expect(-1);
        add(body, 17);

        assertThat(body.refusal()).isEqualTo(Refusal.TOO_LARGE);
        body.release();
        assertThat(places.availablePermits()).isOne();
    }

    @Test
    void a_small_one_needs_no_place() {
        body().expect(5 * MIB);
        AdminBody small = body();

        assertThat(small.expect(4 * MIB)).isEqualTo(Refusal.NONE);
    }

    private AdminBody body() {
        return new AdminBody(16 * MIB, places);
    }

    private static void add(AdminBody body, int mebibytes) {
        for (int i = 0; i < mebibytes; i++) body.add(new byte[MIB]);
    }
}
