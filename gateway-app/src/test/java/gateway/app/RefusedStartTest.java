package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.zip.CRC32C;
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

    @Test
    void an_end_larger_than_the_heap_is_refused_like_any_other() throws Exception {
        makeKey();
        Path journal = data.resolve("keys.journal");
        try (var file = new RandomAccessFile(journal.toFile(), "rw")) {
            long whole = file.length();
            file.setLength(200 << 20);
            refuses("gateway: " + journal + " is damaged at line 3, byte " + whole + ": expected a line, or at most ");

            file.seek(file.length() - 1);
            file.write('x');
            refuses("gateway: " + journal + " is damaged at line 3, byte " + whole
                    + ": expected a hexadecimal digit, got the byte 0x00");
        }
    }

    /// As the text of a line that was written so is read whatever it takes.
    @Test
    void a_start_that_takes_more_memory_than_there_is_ends_with_1() throws Exception {
        try (var file = Files.newOutputStream(data.resolve("keys.journal"))) {
            byte[] piece = new byte[1 << 20];
            var checksum = new CRC32C();
            for (int i = 0; i < 80; i++) checksum.update(piece);
            file.write(String.format("%08x ", checksum.getValue()).getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < 80; i++) file.write(piece);
            file.write('\n');
        }

        try (var gateway = GatewayProcess.launch(data, Map.of(), "-Xmx64m")) {
            assertThat(gateway.exitCode()).isEqualTo(1);
            assertThat(gateway.lines()).anyMatch(line -> line.startsWith("gateway: out of memory: "));
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
        long length = Files.size(journal);
        FileTime written = Files.getLastModifiedTime(journal);
        try (var gateway = GatewayProcess.launch(data, Map.of(), "-Xmx128m")) {
            assertThat(gateway.exitCode()).isEqualTo(1);
            gateway.awaitLine("<end>");

            assertThat(gateway.lines()).hasSize(2).first().asString().startsWith(message);
        }
        assertThat(Files.size(journal)).isEqualTo(length);
        assertThat(Files.getLastModifiedTime(journal)).isEqualTo(written);
    }
}
