package gateway.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KeptPartsTest {
    private final KeptParts parts = new KeptParts();
    private final List<String> events = new ArrayList<>();

    private record Key(String name) {}

    private final class Part implements Served {
        private final String name;

        Part(String name) {
            this.name = name;
        }

        @Override
        public void served() {
            events.add(name + " served");
        }

        @Override
        public void retired() {
            events.add(name + " retired");
        }
    }

    @Test
    void finds_a_part_again_while_it_is_held() {
        KeptPart<Part> first = part("a");
        first.served();

        assertThat(part("a").value()).isSameAs(first.value());
    }

    @Test
    void tells_a_part_of_its_first_holder_and_of_its_last() {
        part("a").served();
        part("a").served();
        part("a").retired();
        assertThat(events).containsExactly("a served");

        part("a").retired();

        assertThat(events).containsExactly("a served", "a retired");
        assertThat(parts.size()).isZero();
    }

    @Test
    void a_reload_hands_a_part_on_without_ending_it() {
        KeptPart<Part> before = part("a");
        before.served();
        KeptPart<Part> after;
        try (var _ = parts.making()) {
            after = part("a");
        }

        after.served();
        before.retired();

        assertThat(events).containsExactly("a served");
        assertThat(parts.size()).isOne();
    }

    @Test
    void forgets_what_was_made_and_never_served() {
        try (var _ = parts.making()) {
            assertThat(part("a").value()).isSameAs(part("a").value());
        }

        assertThat(parts.size()).isZero();
        assertThat(events).isEmpty();
    }

    @Test
    void what_is_made_for_one_snapshot_stays_while_another_is_made() {
        KeptPart<Part> made;
        try (var _ = parts.making()) {
            made = part("a");
            try (var _ = parts.making()) {
                part("b");
            }
            assertThat(part("a").value()).isSameAs(made.value());
        }
        made.served();

        assertThat(part("a").value()).isSameAs(made.value());
        assertThat(parts.size()).isOne();
    }

    @Test
    void refuses_to_end_what_has_not_begun() {
        KeptPart<Part> part = part("a");

        assertThatThrownBy(part::retired).isInstanceOf(IllegalStateException.class);
    }

    private KeptPart<Part> part(String name) {
        return parts.of(new Key(name), Part.class, () -> new Part(name));
    }
}
