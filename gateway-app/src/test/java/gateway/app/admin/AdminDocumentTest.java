package gateway.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class AdminDocumentTest {
    @Test
    void the_page_of_the_admin_api_lists_every_operation() throws IOException {
        try (var server = new AdminServer()) {
            String rows = server.api.routes().stream()
                    .map(route -> "| `%s %s` | %s |".formatted(route.method(), route.path(), route.summary()))
                    .collect(Collectors.joining("\n"));

            assertThat(Files.readString(Path.of("../docs/admin-api.md"))).contains(rows);
        }
    }
}
