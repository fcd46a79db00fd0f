package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The whole program on a data folder that lost something.
final class RefusedStartTest {
    @TempDir
    private Path data;

    @Test
    void a_damaged_journal_ends_the_start_with_1_and_one_line_and_a_repaired_one_has_every_key() throws Exception {
        makeKey();
        Path journal = data.resolve("keys.journal");
        byte[] whole = Files.readAllBytes(journal);
        byte[] flipped = whole.clone();
        flipped[whole.length - 4] ^= 1;
        String text = Files.readString(journal);

        Files.writeString(journal, text.replace("\n", "\r\n"));
        refuses("gateway: " + journal + " is damaged at line 1, byte 22: expected a line feed, got a carriage return"
                + " before it; restore it from a backup, or repair it as docs/stores.md tells under"
                + " \"A damaged journal\"");
        Files.write(journal, flipped);
        refuses("gateway: " + journal + " is damaged at line 2, byte 23: expected a text of the checksum ");

        Files.write(journal, whole);
        try (var gateway = GatewayProcess.start(data, Map.of());
                var admin = AdminClient.of(gateway.admin("/"), gateway.token())) {
            assertThat(admin.call("GET", "/keys/key_a", "").get("id").stringValue())
                    .isEqualTo("key_a");
        }
    }

    @Test
    void an_emptied_journal_is_told_before_the_gateway_is_ready() throws Exception {
        makeKey();
        Files.write(data.resolve("keys.journal"), new byte[0]);

        try (var gateway = GatewayProcess.start(data, Map.of())) {
            assertThat(gateway.lines())
                    .anySatisfy(line -> assertThat(line)
                            .contains(" WARN  MissingFiles - " + data.resolve("keys.journal") + " is empty, though"));
        }
    }

    private void makeKey() throws IOException, InterruptedException, TimeoutException {
        try (var gateway = GatewayProcess.start(data, Map.of());
                var admin = AdminClient.of(gateway.admin("/"), gateway.token())) {
            admin.issue("key_a", "orders");
            gateway.terminate();
            assertThat(gateway.exitCode()).isZero();
        }
    }

    private void refuses(String message) throws IOException, InterruptedException, TimeoutException {
        Path journal = data.resolve("keys.journal");
        byte[] before = Files.readAllBytes(journal);
        try (var gateway = GatewayProcess.launch(data, Map.of())) {
            assertThat(gateway.exitCode()).isEqualTo(1);
            gateway.awaitLine("<end>");

            assertThat(gateway.lines()).hasSize(2).first().asString().startsWith(message);
        }
        assertThat(journal).hasBinaryContent(before);
    }
}
