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
        assertThat(exit(out, errors, environment, arguments))
                .as(errors.toString())
                .isZero();
        return out.toString();
    }

    /// What it says is wrong; it must end with 1.
    public static String refused(Map<String, String> environment, String... arguments) {
        var out = new StringWriter();
        var errors = new StringWriter();
        assertThat(exit(out, errors, environment, arguments)).as(out.toString()).isEqualTo(1);
        return errors.toString();
    }

    private static int exit(
            StringWriter out, StringWriter errors, Map<String, String> environment, String... arguments) {
        return Main.commandLine(environment)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(errors))
                .execute(arguments);
    }
}
