package gateway.policies.script;

import static gateway.policies.script.ScriptRun.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class MessageScriptTest {
    @Test
    void changes_what_the_upstream_gets() {
        var run = ScriptRun.with("\"body\": \"json\"", """
                const order = request.body;
                order.total = order.items.reduce((sum, item) => sum + item.price, 0);
                request.body = order;
                request.headers['X-Total'] = order.total;
                request.query.page = '2';
                """);

        assertThat(run.post("{\"items\":[{\"price\":2},{\"price\":3.5}]}").status()).isEqualTo(200);

        assertThat(run.arrived()).isEqualTo("{\"items\":[{\"price\":2},{\"price\":3.5}],\"total\":5.5}");
        assertThat(run.last().headers().first("X-Total")).contains("5.5");
        assertThat(run.last().outgoing().query()).isEqualTo("page=2");
    }

    @Test
    void is_refused_with_line_and_column_where_it_cannot_be_compiled() {
        assertThatThrownBy(() -> ScriptRun.of("var a = 1;\nvar = 2;"))
                .hasMessageContaining("line 2, column")
                .hasMessageContaining("/source");
    }
}
