package gateway.policies.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What an entry holds on to beside its content is what each collection copies.
final class RepeatedTextsTest {
    private final RepeatedTexts texts = new RepeatedTexts();

    @Test
    void what_the_last_answer_said_in_the_same_place_is_the_same_text() {
        List<String> first = texts.lines(lines("Server", "nginx", "ETag", "1"));

        List<String> second = texts.lines(lines("Server", "nginx", "ETag", "2", "Age", "0"));

        assertThat(second).containsExactly("Server", "nginx", "ETag", "2", "Age", "0");
        for (int i = 0; i < 3; i++) assertThat(second.get(i)).isSameAs(first.get(i));
    }

    @Test
    void lines_that_are_all_equal_are_one_list() {
        List<String> first = texts.lines(lines("Server", "nginx"));

        assertThat(texts.lines(lines("Server", "nginx"))).isSameAs(first);
        assertThat(texts.lines(lines("Server"))).containsExactly("Server");
        assertThat(texts.lines(lines())).isEmpty();
    }

    @Test
    void a_host_is_one_text() {
        String first = texts.host(copy("a.example"));

        assertThat(texts.host(copy("a.example"))).isSameAs(first);
        assertThat(texts.host(copy("b.example"))).isEqualTo("b.example");
    }

    private static List<String> lines(String... each) {
        var lines = new ArrayList<String>();
        for (String text : each) lines.add(copy(text));
        return lines;
    }

    private static String copy(String text) {
        return String.valueOf(text.toCharArray());
    }
}
