package gateway.app.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

    /// What a pod with `fsGroup` finds: files of root that its group reads, links to them, a folder of memory that
    /// all may write, with the sticky bit.
    @ParameterizedTest
    @ValueSource(strings = {"r--r-----", "rw-r-----", "rw-r--r--"})
    void one_that_its_group_reads_serves_as_kubernetes_mounts_it(String mode) throws IOException {
        Path version = Files.createDirectories(folder.resolve("..2026"));
        Files.setPosixFilePermissions(write("..2026/token", "hush"), PosixFilePermissions.fromString(mode));
        Files.createSymbolicLink(folder.resolve("..data"), Path.of("..2026"));
        Files.createSymbolicLink(folder.resolve("token"), Path.of("..data/token"));
        Files.setPosixFilePermissions(version, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setAttribute(folder, "unix:mode", 01777);

        assertThat(files.read("token").reveal()).isEqualTo("hush");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwxrwx", "rwxrwxr-x", "rwxr-xrwx", "rwx-wx---"})
    void a_folder_that_others_than_its_owner_may_write_is_refused_wherever_it_stands_on_the_way(String mode)
            throws IOException {
        Path inner = Files.createDirectory(folder.resolve("inner"));
        write("inner/token", "hush");
        for (Path open : List.of(inner, folder, place)) {
            Set<PosixFilePermission> before = Files.getPosixFilePermissions(open);
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString(mode));

            assertThatThrownBy(() -> files.read("inner/token"))
                    .hasMessageContaining("the folder " + open.toRealPath() + " (chmod go-w)");

            Files.setPosixFilePermissions(open, before);
        }
        assertThat(files.read("inner/token").reveal()).isEqualTo("hush");
    }

    /// Whoever writes there may have the link lead elsewhere, though the file itself lies safe.
    @Test
    void a_folder_that_only_a_link_passes_is_looked_at_too() throws IOException {
        Path passed = Files.createDirectory(folder.resolve("passed"));
        write("real", "hush");
        Files.createSymbolicLink(passed.resolve("on"), Path.of("../real"));
        Files.createSymbolicLink(folder.resolve("token"), Path.of("passed/on"));
        assertThat(files.read("token").reveal()).isEqualTo("hush");

        Files.setPosixFilePermissions(passed, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThat(files.read("real").reveal()).isEqualTo("hush");
        assertThatThrownBy(() -> files.read("token")).hasMessageContaining("passed (chmod go-w)");
    }

    @Test
    void a_folder_of_secrets_that_is_a_link_is_safe_only_where_the_link_is() throws IOException {
        write("token", "hush");
        Path open = Files.createDirectory(place.resolve("open"));
        Path link = Files.createSymbolicLink(open.resolve("link"), folder.toAbsolutePath());
        var linked = new SecretFiles(Optional.of(link));
        assertThat(linked.read("token").reveal()).isEqualTo("hush");

        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatThrownBy(() -> linked.read("token")).hasMessageContaining("open (chmod go-w)");
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
