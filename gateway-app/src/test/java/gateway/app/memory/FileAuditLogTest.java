package gateway.app.memory;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.log.CapturedLog;
import gateway.service.AuditEntry;
import gateway.service.AuditLog;
import gateway.service.AuditLogContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileAuditLogTest implements AuditLogContract {
    @TempDir
    private Path folder;

    private FileAuditLog log;

    @BeforeEach
    void open() {
        log = FileAuditLog.open(folder, 1_000, 3);
    }

    @Override
    public AuditLog log() {
        return log;
    }

    @Test
    void entries_survive_a_restart_and_only_their_owner_reads_them() throws IOException {
        log.append(entry(1));

        open();

        assertThat(log.latest(0, 10)).containsExactly(entry(1));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("audit.ndjson"))))
                .isEqualTo("rw-------");
    }

    @Test
    void what_a_crash_left_half_written_is_cut_off_and_kept() throws IOException {
        log.append(entry(1));
        Files.writeString(folder.resolve("audit.ndjson"), "{\"at\":\"2026", StandardOpenOption.APPEND);

        open();
        log.append(entry(2));

        assertThat(log.latest(0, 10)).containsExactly(entry(2), entry(1));
        assertThat(folder.resolve("audit.ndjson.cut")).hasContent("{\"at\":\"2026");
    }

    @Test
    void line_ends_of_windows_are_told_and_its_entries_read() throws IOException {
        log.append(entry(1));
        log.append(entry(2));
        Path file = folder.resolve("audit.ndjson");
        Files.writeString(file, Files.readString(file).replace("\n", "\r\n"));

        try (var told = new CapturedLog()) {
            open();
            assertThat(told.text()).contains("WARN", "audit.ndjson has line ends of Windows (CR LF)");
        }
        log.append(entry(3));
        assertThat(log.latest(0, 10)).containsExactly(entry(3), entry(2), entry(1));
    }

    @Test
    void pages_go_over_the_files_of_which_the_oldest_goes() throws IOException {
        var all = new ArrayList<AuditEntry>();
        for (int i = 0; i < 100; i++) {
            all.addFirst(entry(i));
            log.append(all.getFirst());
        }

        var found = log.latest(0, 1_000);

        assertThat(found).hasSizeBetween(15, 40).isEqualTo(all.subList(0, found.size()));
        assertThat(log.latest(7, 10)).isEqualTo(all.subList(7, 17));
        try (var files = Files.list(folder)) {
            assertThat(files).hasSize(3).allMatch(file -> file.toFile().length() <= 1_000);
        }
    }

    @Test
    void long_logs_are_read_a_piece_at_a_time() {
        var large = FileAuditLog.open(folder, 1 << 20, 1);
        var all = new ArrayList<AuditEntry>();
        for (int i = 0; i < 1_000; i++) {
            all.addFirst(entry(i));
            large.append(all.getFirst());
        }

        assertThat(large.latest(0, 1_000)).isEqualTo(all);
    }

    private static AuditEntry entry(int number) {
        return new AuditEntry(
                Instant.parse("2026-01-01T00:00:00Z").plusSeconds(number),
                "token:ab12",
                "PUT apis/a",
                number,
                number + 1L);
    }
}
