package gateway.app.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SecretFilesTest {
    @TempDir
    private Path place;

    private Path folder;
    private SecretFiles files;

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createDirectory(place.resolve("secrets"));
        files = new SecretFiles(Optional.of(folder));
    }

    @ParameterizedTest
    @CsvSource({"'hush\n'", "'hush\r\n'", "hush"})
    void a_file_is_a_secret_without_the_line_end_after_it(String content) throws IOException {
        write("token", content);

        assertThat(files.read("token").reveal()).isEqualTo("hush");
    }

    @Test
    void links_within_the_folder_are_followed_as_kubernetes_makes_them() throws IOException {
        Files.createDirectories(folder.resolve("..2026"));
        write("..2026/token", "hush");
        Files.createSymbolicLink(folder.resolve("..data"), Path.of("..2026"));
        Files.createSymbolicLink(folder.resolve("token"), Path.of("..data/token"));

        assertThat(files.read("token").reveal()).isEqualTo("hush");
    }

    @Test
    void a_link_that_leads_out_is_refused() throws IOException {
        Path outside = Files.writeString(place.resolve("outside"), "hush");
        Files.createSymbolicLink(folder.resolve("token"), outside);

        assertThatThrownBy(() -> files.read("token")).hasMessageContaining("leads out");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-rw-rw-", "rw-rw----", "rw----rw-", "r---w----"})
    void one_that_others_than_its_owner_may_write_is_refused(String mode) throws IOException {
        Files.setPosixFilePermissions(write("token", "hush"), PosixFilePermissions.fromString(mode));

        assertThatThrownBy(() -> files.read("token")).hasMessageContaining("chmod go-w");
    }

    /// What a pod with `fsGroup` finds: files of root that its group reads, links to them, folders that all may write.
    @ParameterizedTest
    @ValueSource(strings = {"r--r-----", "rw-r-----", "rw-r--r--"})
    void one_that_its_group_reads_serves_as_kubernetes_mounts_it(String mode) throws IOException {
        Path version = Files.createDirectories(folder.resolve("..2026"));
        Files.setPosixFilePermissions(write("..2026/token", "hush"), PosixFilePermissions.fromString(mode));
        Files.createSymbolicLink(folder.resolve("..data"), Path.of("..2026"));
        Files.createSymbolicLink(folder.resolve("token"), Path.of("..data/token"));
        Files.setPosixFilePermissions(version, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThat(files.read("token").reveal()).isEqualTo("hush");
    }

    @Test
    void what_is_no_secret_is_refused_with_the_reason() throws IOException {
        Files.createDirectory(folder.resolve("folder"));
        write("empty", "\n");
        write("large", "x".repeat(64 * 1024 + 1));
        Files.write(folder.resolve("latin"), "ü".getBytes(StandardCharsets.ISO_8859_1));

        assertThatThrownBy(() -> files.read("missing")).hasMessageContaining("no such file");
        assertThatThrownBy(() -> files.read("folder")).hasMessageContaining("expected a file");
        assertThatThrownBy(() -> files.read("empty")).hasMessageContaining("empty");
        assertThatThrownBy(() -> files.read("large")).hasMessageContaining("at most 65536 bytes");
        assertThatThrownBy(() -> files.read("latin")).hasMessageContaining("UTF-8");
        assertThatThrownBy(() -> new SecretFiles(Optional.empty()).read("token"))
                .hasMessageContaining("no folder");
    }

    @Test
    void stamps_tell_that_a_file_has_changed_come_or_gone() throws IOException {
        write("token", "hush");
        var names = List.of("token", "later");
        var before = files.stamps(names);
        assertThat(files.stamps(names)).isEqualTo(before);

        write("token", "changed");
        var changed = files.stamps(names);
        write("later", "come");
        var come = files.stamps(names);
        Files.delete(folder.resolve("token"));

        assertThat(changed).isNotEqualTo(before);
        assertThat(come).isNotEqualTo(changed);
        assertThat(files.stamps(names)).isNotEqualTo(come);
    }

    private Path write(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }
}
