package gateway.app.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/// A command, run within a test.
public final class MainForTests {
    private MainForTests() {}

    /// What it prints; it must end with 0.
    public static String run(Map<String, String> environment, String... arguments) {
        var out = new StringWriter();
        var errors = new StringWriter();
        int exit = Main.commandLine(environment)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(errors))
                .execute(arguments);
        assertThat(exit).as(errors.toString()).isZero();
        return out.toString();
    }
}
