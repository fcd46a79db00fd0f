package gateway.app.commands;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.service.DependencyException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class FailedStartTest {
    @Test
    void what_cannot_be_read_is_said_in_one_line() {
        var errors = new StringWriter();
        var cause = new IOException("no permission");
        var failure = new DependencyException("data folder", "cannot read the definitions (" + cause + ")", cause);

        assertThat(Main.failed(failure, new PrintWriter(errors, true))).isEqualTo(1);
        assertThat(errors.toString().lines())
                .containsExactly(
                        "gateway: data folder: cannot read the definitions (java.io.IOException: no permission)");
    }
}
