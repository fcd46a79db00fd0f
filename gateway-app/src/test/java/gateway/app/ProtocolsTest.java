package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Every row of docs/protocols.md names tests, and each of them is there.
final class ProtocolsTest {
    private static final Path PAGE = Path.of("../docs/protocols.md");
    private static final List<Path> TESTS =
            List.of(Path.of("src/test/java"), Path.of("../gateway-core/wire/src/test/java"));
    private static final Pattern NAMED = Pattern.compile("`(\\w+Test)\\.(\\w+)`");

    @Test
    void every_row_names_tests_that_exist() throws IOException {
        var rows = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| RFC"))
                .toList();

        assertThat(rows).hasSizeGreaterThan(35);
        for (String row : rows) {
            var named = NAMED.matcher(row);
            assertThat(named.find()).as(row).isTrue();
            do {
                assertThat(source(named.group(1))).as(row).contains("void " + named.group(2) + "(");
            } while (named.find());
        }
    }

    private static String source(String test) throws IOException {
        for (Path tests : TESTS) {
            try (var files = Files.walk(tests)) {
                var found = files.filter(file -> file.endsWith(test + ".java")).findFirst();
                if (found.isPresent()) return Files.readString(found.get());
            }
        }
        return "";
    }
}
