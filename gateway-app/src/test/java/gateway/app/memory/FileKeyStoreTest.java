package gateway.app.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Secret;
import gateway.json.InvalidConfigException;
import gateway.key.ApiGrant;
import gateway.key.ApiKey;
import gateway.key.KeyStore;
import gateway.key.KeyStoreContract;
import gateway.key.PathGrant;
import gateway.service.DependencyException;
import gateway.service.ManualClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileKeyStoreTest implements KeyStoreContract {
    @TempDir
    private Path folder;

    private final ManualClock clock = ManualClock.create();
    private FileKeyStore store;

    @BeforeEach
    void open() {
        store = FileKeyStore.open(folder, clock);
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    private void reopen() throws IOException {
        store.close();
        open();
    }

    @Override
    public KeyStore store() {
        return store;
    }

    @Test
    void keys_survive_a_restart() throws IOException {
        var kept = store.issue(key("key_a", "alice"));
        var rotated = store.issue(key("key_b", "bob"));
        store.issue(key("key_c", "carol"));
        var secret = store.rotate("key_b").orElseThrow().secret();
        var replaced = store.replace(key("key_b", "bobby"), Optional.empty()).orElseThrow();
        store.delete("key_c", Optional.empty());

        reopen();

        assertThat(store.list("", "", 10).keys()).containsExactly(kept.stored(), replaced);
        assertThat(store.authenticate(kept.secret().reveal())).contains(key("key_a", "alice"));
        assertThat(store.authenticate(secret.reveal())).contains(key("key_b", "bobby"));
        assertThat(store.authenticate(rotated.secret().reveal())).isEmpty();
    }

    @Test
    void keys_whose_grants_name_methods_that_are_none_survive_it_too() throws IOException {
        var odd = new ApiGrant(List.of(new PathGrant("/", Set.of("ge t", "GET"))), List.of());
        ApiKey key = new ApiKey(
                "key_a",
                "alice",
                true,
                Optional.empty(),
                Map.of("orders", odd),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Map.of());
        store.issue(key, Optional.of(new Secret("one")));

        reopen();

        assertThat(store.authenticate("one")).contains(key);
    }

    @Test
    void a_former_secret_opens_until_its_time_is_over_also_after_a_restart() throws IOException {
        store.issue(key("key_a", "alice"), Optional.of(new Secret("first")));
        store.rotate("key_a", Duration.ofHours(1));

        reopen();
        assertThat(store.authenticate("first")).isPresent();

        clock.advance(Duration.ofHours(1));
        assertThat(store.authenticate("first")).isEmpty();
    }

    @Test
    void no_file_holds_a_secret_and_only_their_owner_reads_them() throws IOException {
        String secret = store.issue(key("key_a", "alice")).secret().reveal();

        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .doesNotContain(secret)
                        .doesNotContain(secret.substring(3));
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------");
            }
        }
        assertThat(folder.resolve("pepper")).hasSize(32);
    }

    @Test
    void a_journal_cut_at_any_byte_keeps_every_whole_line() throws IOException {
        store.issue(key("key_a", "alice"), Optional.of(new Secret("one")));
        long first = Files.size(folder.resolve("keys.journal"));
        store.issue(key("key_b", "bob"), Optional.of(new Secret("two")));
        byte[] whole = Files.readAllBytes(folder.resolve("keys.journal"));

        for (int cut = (int) first; cut < whole.length - 1; cut++) {
            store.close();
            Files.write(folder.resolve("keys.journal"), Arrays.copyOf(whole, cut));
            open();

            assertThat(store.authenticate("one")).isPresent();
            assertThat(store.authenticate("two")).isEmpty();
            store.issue(key("key_c", "carol"), Optional.of(new Secret("three")));
            reopen();
            assertThat(store.list("", "", 10).keys()).hasSize(2);
        }
    }

    @Test
    void a_line_damaged_before_whole_ones_is_refused_with_its_place() throws IOException {
        store.issue(key("key_a", "alice"));
        store.issue(key("key_b", "bob"));
        byte[] journal = Files.readAllBytes(folder.resolve("keys.journal"));
        journal[60] ^= 1;
        Files.write(folder.resolve("keys.journal"), journal);

        assertThatThrownBy(this::reopen)
                .isInstanceOf(DataFolderException.class)
                .hasMessageContaining("keys.journal is damaged at line 2, byte 23: expected a text of the checksum ");
    }

    @Test
    void a_missing_pepper_is_refused_rather_than_made_anew() throws IOException {
        store.issue(key("key_a", "alice"));
        Files.delete(folder.resolve("pepper"));

        assertThatThrownBy(this::reopen)
                .isInstanceOf(DataFolderException.class)
                .hasMessageContaining("pepper is missing, and without it the stored keys open nothing");
    }

    @Test
    void a_pepper_of_another_length_is_refused() throws IOException {
        Files.write(folder.resolve("pepper"), new byte[31]);

        assertThatThrownBy(this::reopen).hasMessageContaining("expected 32 bytes, got 31");
    }

    @Test
    void the_journal_stays_short_and_forgets_no_version() throws IOException {
        String secret = store.issue(key("key_a", "alice")).secret().reveal();
        for (int i = 0; i < 1_200; i++) store.replace(key("key_a", "alice" + i), Optional.empty());
        String version = store.find("key_a").orElseThrow().version();

        reopen();

        try (var lines = Files.lines(folder.resolve("keys.journal"))) {
            assertThat(lines).hasSizeLessThan(400);
        }
        assertThat(store.authenticate(secret)).contains(key("key_a", "alice1199"));
        assertThat(store.find("key_a").orElseThrow().version()).isEqualTo(version);
    }

    @Test
    void versions_of_deleted_keys_are_not_used_again_after_the_journal_was_made_short() throws IOException {
        store.issue(key("key_a", "alice"));
        for (int i = 0; i < 1_100; i++) store.replace(key("key_a", "alice"), Optional.empty());
        String version = store.find("key_a").orElseThrow().version();
        store.delete("key_a", Optional.empty());

        reopen();

        assertThat(Long.parseLong(store.issue(key("key_a", "alice")).stored().version()))
                .isGreaterThan(Long.parseLong(version));
    }

    @Test
    void a_key_that_could_not_be_read_again_is_not_written() throws IOException {
        assertThatThrownBy(() -> store.issue(key("../a b", "alice"))).isInstanceOf(InvalidConfigException.class);

        reopen();

        assertThat(store.list("", "", 10).keys()).isEmpty();
    }

    @Test
    void a_key_that_cannot_be_written_is_not_there() throws IOException {
        store.close();

        assertThatThrownBy(() -> store.issue(key("key_a", "alice"), Optional.of(new Secret("one"))))
                .isInstanceOf(DependencyException.class)
                .hasMessageContaining("cannot write");
        assertThat(store.authenticate("one")).isEmpty();
        assertThat(store.find("key_a")).isEmpty();
    }

    private static ApiKey key(String id, String name) {
        return new ApiKey(
                id,
                name,
                true,
                Optional.empty(),
                Map.of("orders", ApiGrant.WHOLE),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Map.of());
    }
}
