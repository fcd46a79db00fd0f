package gateway.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Allowance;
import gateway.http.Secret;
import gateway.service.ConflictException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What every [KeyStore] does.
public interface KeyStoreContract {
    /// The store under test, empty at first and the same throughout one test.
    KeyStore store();

    @Test
    default void a_key_is_opened_by_the_secret_it_was_issued_with() {
        IssuedKey issued = store().issue(key("", "alice"));

        assertThat(issued.stored().key().id()).startsWith("key_");
        assertThat(store().authenticate(issued.secret().reveal()))
                .contains(issued.stored().key());
        assertThat(store().find(issued.stored().key().id())).contains(issued.stored());
    }

    @Test
    default void every_part_of_a_key_is_kept() {
        var whole = new ApiKey(
                        "key_whole",
                        "alice \"ä\" \n",
                        false,
                        Optional.of(Instant.parse("2027-01-01T00:00:00Z")),
                        Map.of("orders", new ApiGrant(List.of(new PathGrant("/items", Set.of("GET", "PUT"))))),
                        Optional.of(new Allowance(100, Duration.ofSeconds(1))),
                        Optional.of(new Allowance(100_000, Duration.ofDays(30))),
                        List.of("gold", "eu"),
                        Map.of("plan", "gold"))
                .withCredentials(List.of(
                        new KeyCredential("ed25519", Optional.of("a\nPEM"), Optional.empty()),
                        new KeyCredential("hmac-sha256", Optional.empty(), Optional.of("v1.sealed"))));

        var issued = store().issue(whole);

        assertThat(store().find("key_whole").map(StoredKey::key)).contains(whole);
        assertThat(store().authenticate(issued.secret().reveal())).contains(whole);
    }

    @Test
    default void each_change_gives_all_keys_another_version_before_it_is_answered() {
        var versions = new ArrayList<Long>();
        versions.add(store().version());

        store().issue(key("key_a", "alice"));
        versions.add(store().version());
        store().replace(key("key_a", "alicia"), Optional.empty());
        versions.add(store().version());
        store().rotate("key_a");
        versions.add(store().version());
        store().delete("key_a", Optional.empty());
        versions.add(store().version());

        assertThat(versions).doesNotHaveDuplicates();
    }

    @Test
    default void a_wrong_secret_opens_nothing() {
        String secret = store().issue(key("", "alice")).secret().reveal();

        assertThat(store().authenticate("x" + secret.substring(1))).isEmpty();
        assertThat(store().authenticate(secret.substring(0, secret.length() - 1) + "!"))
                .isEmpty();
        assertThat(store().authenticate("")).isEmpty();
        assertThat(store().authenticate("*{slot}\r\n\u0000")).isEmpty();
    }

    @Test
    default void a_secret_longer_than_any_is_unknown() {
        assertThat(store().authenticate("g".repeat(KeyStore.LONGEST_SECRET + 1)))
                .isEmpty();
        assertThat(store().authenticate("g".repeat(1_000_000))).isEmpty();
    }

    @Test
    default void a_taken_id_is_refused() {
        store().issue(key("key_a", "alice"));

        assertThatThrownBy(() -> store().issue(key("key_a", "bob"))).isInstanceOf(ConflictException.class);
        assertThat(store().find("key_a").orElseThrow().key().name()).isEqualTo("alice");
    }

    @Test
    default void an_operator_may_choose_the_secret() {
        var issued = store().issue(key("key_a", "alice"), Optional.of(new Secret("from-another-gateway")));

        assertThat(issued.secret().reveal()).isEqualTo("from-another-gateway");
        assertThat(store().authenticate("from-another-gateway")).contains(key("key_a", "alice"));
    }

    @Test
    default void a_taken_secret_is_refused_and_changes_nothing() {
        store().issue(key("key_a", "alice"), Optional.of(new Secret("chosen")));

        assertThatThrownBy(() -> store().issue(key("key_b", "bob"), Optional.of(new Secret("chosen"))))
                .isInstanceOf(ConflictException.class);
        assertThat(store().find("key_b")).isEmpty();
        assertThat(store().authenticate("chosen")).contains(key("key_a", "alice"));
    }

    @Test
    default void replacing_keeps_the_secret_and_changes_the_version() {
        var issued = store().issue(key("key_a", "alice"));

        var replaced = store().replace(
                        key("key_a", "alicia"), Optional.of(issued.stored().version()))
                .orElseThrow();

        assertThat(replaced.key()).isEqualTo(key("key_a", "alicia"));
        assertThat(replaced.version()).isNotEqualTo(issued.stored().version());
        assertThat(store().find("key_a")).contains(replaced);
        assertThat(store().authenticate(issued.secret().reveal())).contains(key("key_a", "alicia"));
    }

    @Test
    default void replacing_needs_the_expected_version_or_none() {
        var first = store().issue(key("key_a", "alice")).stored();
        var second = store().replace(key("key_a", "second"), Optional.empty()).orElseThrow();

        assertThatThrownBy(() -> store().replace(key("key_a", "third"), Optional.of(first.version())))
                .isInstanceOf(ConflictException.class);
        assertThat(store().find("key_a")).contains(second);
    }

    @Test
    default void what_is_not_there_is_neither_replaced_nor_rotated_nor_deleted() {
        assertThat(store().find("key_none")).isEmpty();
        assertThat(store().replace(key("key_none", "alice"), Optional.empty())).isEmpty();
        assertThat(store().rotate("key_none")).isEmpty();
        assertThat(store().delete("key_none", Optional.empty())).isFalse();
    }

    @Test
    default void a_rotated_key_is_opened_by_the_new_secret_alone() {
        var issued = store().issue(key("key_a", "alice"));

        var rotated = store().rotate("key_a").orElseThrow();

        assertThat(store().authenticate(issued.secret().reveal())).isEmpty();
        assertThat(store().authenticate(rotated.secret().reveal())).contains(key("key_a", "alice"));
        assertThat(rotated.stored().version()).isNotEqualTo(issued.stored().version());
        assertThat(store().find("key_a")).contains(rotated.stored());
    }

    @Test
    default void a_rotated_key_is_opened_by_its_former_secret_for_as_long_as_the_two_overlap() {
        var first = store().issue(key("key_a", "alice"), Optional.of(new Secret("first")));

        var second = store().rotate("key_a", Duration.ofHours(1)).orElseThrow();

        assertThat(store().authenticate("first")).contains(first.stored().key());
        assertThat(store().authenticate(second.secret().reveal()))
                .contains(first.stored().key());
        store().replace(key("key_a", "alicia"), Optional.empty());
        assertThat(store().authenticate("first")).contains(key("key_a", "alicia"));
        assertThatThrownBy(() -> store().issue(key("key_b", "bob"), Optional.of(new Secret("first"))))
                .isInstanceOf(ConflictException.class);

        var third = store().rotate("key_a", Duration.ofHours(1)).orElseThrow();

        assertThat(store().authenticate("first")).isEmpty();
        assertThat(store().authenticate(second.secret().reveal())).isPresent();
        assertThat(store().authenticate(third.secret().reveal())).isPresent();

        store().rotate("key_a");

        assertThat(store().authenticate(second.secret().reveal())).isEmpty();
        assertThat(store().authenticate(third.secret().reveal())).isEmpty();
    }

    @Test
    default void a_deleted_key_is_not_opened_by_its_former_secret_either() {
        store().issue(key("key_a", "alice"), Optional.of(new Secret("first")));
        store().rotate("key_a", Duration.ofHours(1));

        store().delete("key_a", Optional.empty());

        assertThat(store().authenticate("first")).isEmpty();
        assertThat(store().issue(key("key_a", "bob"), Optional.of(new Secret("first")))
                        .stored()
                        .key()
                        .name())
                .isEqualTo("bob");
    }

    @Test
    default void a_deleted_key_opens_nothing_and_frees_its_id_and_secret() {
        var secret = Optional.of(new Secret("chosen"));
        store().issue(key("key_a", "alice"), secret);

        assertThat(store().delete("key_a", Optional.empty())).isTrue();

        assertThat(store().authenticate("chosen")).isEmpty();
        assertThat(store().find("key_a")).isEmpty();
        assertThat(store().list("", "", 10).keys()).isEmpty();
        assertThat(store().issue(key("key_a", "bob"), secret).stored().key().name())
                .isEqualTo("bob");
        assertThat(store().authenticate("chosen")).contains(key("key_a", "bob"));
    }

    @Test
    default void deleting_needs_the_expected_version() {
        var first = store().issue(key("key_a", "alice")).stored();
        store().replace(key("key_a", "second"), Optional.empty());

        assertThatThrownBy(() -> store().delete("key_a", Optional.of(first.version())))
                .isInstanceOf(ConflictException.class);
        assertThat(store().find("key_a")).isPresent();
    }

    @Test
    default void versions_are_never_used_again_for_another_key_of_the_same_id() {
        var first = store().issue(key("key_a", "alice")).stored();
        store().delete("key_a", Optional.empty());

        var second = store().issue(key("key_a", "alice")).stored();

        assertThat(second.version()).isNotEqualTo(first.version());
    }

    @Test
    default void keys_are_listed_by_id_page_after_page() {
        for (String id : List.of("key_c", "key_a", "key_e", "key_b", "key_d")) store().issue(key(id, "n-" + id));

        var found = new ArrayList<List<String>>();
        String cursor = "";
        do {
            var page = store().list("", cursor, 2);
            found.add(ids(page));
            cursor = page.next().orElse("");
        } while (!cursor.isEmpty());

        assertThat(found).containsExactly(List.of("key_a", "key_b"), List.of("key_c", "key_d"), List.of("key_e"));
    }

    @Test
    default void the_last_page_has_no_cursor_even_when_it_is_full() {
        store().issue(key("key_a", "alice"));
        store().issue(key("key_b", "bob"));

        assertThat(store().list("", "", 2).next()).isEmpty();
    }

    @Test
    default void keys_are_listed_by_part_of_their_name() {
        store().issue(key("key_a", "alice"));
        store().issue(key("key_b", "bob"));
        store().issue(key("key_c", "malice"));

        assertThat(ids(store().list("lice", "", 10))).containsExactly("key_a", "key_c");
        assertThat(ids(store().list("lice", "key_a", 10))).containsExactly("key_c");
        assertThat(store().list("carol", "", 10)).isEqualTo(new KeyPage(List.of(), Optional.empty()));
    }

    private static List<String> ids(KeyPage page) {
        return page.keys().stream().map(stored -> stored.key().id()).toList();
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
