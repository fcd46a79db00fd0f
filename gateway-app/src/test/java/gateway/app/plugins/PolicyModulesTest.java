package gateway.app.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Whoever brings policies holds them to what every policy owes: `gateway.config.PolicyContract`.
final class PolicyModulesTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern TYPE = Pattern.compile(" implements PolicyType ");
    private static final Pattern CONTRACT = Pattern.compile(" extends Policy(Module)?Contract ");

    @Test
    void each_module_with_policies_extends_the_contract() throws IOException {
        List<Path> modules = modules();

        assertThat(modules)
                .contains(ROOT.resolve("gateway-policies/standard"), ROOT.resolve("docs/examples/require-tenant"))
                .allSatisfy(module -> assertThat(mentions(module.resolve("src/test"), CONTRACT))
                        .isTrue());
    }

    private static List<Path> modules() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT, 4)) {
            return files.filter(file -> file.endsWith("pom.xml"))
                    .filter(file -> !file.startsWith(ROOT.resolve("target"))) // of another version
                    .map(Path::getParent)
                    .filter(module -> mentions(module.resolve("src/main"), TYPE))
                    .toList();
        }
    }

    private static boolean mentions(Path folder, Pattern words) {
        if (!Files.isDirectory(folder)) return false;
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                if (words.matcher(Files.readString(file)).find()) return true;
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
