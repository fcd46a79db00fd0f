package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.json.ConfigNode;
import gateway.policy.Condition;
import gateway.service.ManualClock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TimeConditionsTest {
    private final ManualClock clock = ManualClock.create();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // 2026-11-23 is a Monday; Berlin is an hour ahead of UTC in winter, two in summer
                "{'days': ['mon-fri'], 'from': '08:00', 'to': '18:00', 'zone': 'Europe/Berlin'} | 2026-11-23T07:00:00Z | true",
                "{'days': ['mon-fri'], 'from': '08:00', 'to': '18:00', 'zone': 'Europe/Berlin'} | 2026-11-23T06:59:59Z | false",
                "{'days': ['mon-fri'], 'from': '08:00', 'to': '18:00', 'zone': 'Europe/Berlin'} | 2026-11-23T16:59:59Z | true",
                "{'days': ['mon-fri'], 'from': '08:00', 'to': '18:00', 'zone': 'Europe/Berlin'} | 2026-11-23T17:00:00Z | false",
                "{'days': ['mon-fri'], 'from': '08:00', 'to': '18:00', 'zone': 'Europe/Berlin'} | 2026-11-22T12:00:00Z | false",
                "{'days': ['mon-fri'], 'from': '08:00', 'to': '18:00', 'zone': 'Europe/Berlin'} | 2026-07-06T06:00:00Z | true",
                "{'from': '22:00', 'to': '06:00', 'days': ['fri']} | 2026-11-27T22:00:00Z | true",
                "{'from': '22:00', 'to': '06:00', 'days': ['fri']} | 2026-11-28T05:59:00Z | true",
                "{'from': '22:00', 'to': '06:00', 'days': ['fri']} | 2026-11-28T06:00:00Z | false",
                "{'from': '22:00', 'to': '06:00', 'days': ['fri']} | 2026-11-27T05:00:00Z | false",
                "{'from': '22:00', 'to': '00:00'}                  | 2026-11-27T23:59:59Z | true",
                "{'from': '22:00', 'to': '00:00'}                  | 2026-11-28T00:00:00Z | false",
                "{'days': ['fri-mon', 'wed']}                      | 2026-11-22T00:00:00Z | true",
                "{'days': ['fri-mon', 'wed']}                      | 2026-11-24T12:00:00Z | false",
                "{'days': ['fri-mon', 'wed']}                      | 2026-11-25T23:59:59Z | true",
                "{'from': '12:00'}                                 | 2026-11-25T11:59:59Z | false",
                "{'from': '12:00'}                                 | 2026-11-25T23:59:59Z | true",
                "{}                                                | 2026-11-25T00:00:00Z | true"
            })
    void holds_while_a_window_is_open(String window, Instant now, boolean holds) {
        clock.set(now);

        assertThat(read("[" + window + "]").holds(Exchanges.get("/").make())).isEqualTo(holds);
        assertThat(read("[" + window + ", {'from': '00:00', 'to': '24:00'}]")
                        .holds(Exchanges.get("/").make()))
                .isTrue();
    }

    @Test
    void names_every_problem() {
        assertThat(problems("[]")).containsExactly("/: expected at least one window");
        assertThat(problems("[{'days': ['mo', 'mon-'], 'from': '8:00', 'to': '25:00', 'zone': 'Berlin', 'at': 1}]"))
                .containsExactlyInAnyOrder(
                        "/0/days/0: expected days such as \"mon\" or \"mon-fri\", got \"mo\"",
                        "/0/days/1: expected days such as \"mon\" or \"mon-fri\", got \"mon-\"",
                        "/0/from: expected a time such as \"08:00\", got \"8:00\"",
                        "/0/to: expected a time such as \"08:00\", got \"25:00\"",
                        "/0/zone: expected a time zone such as \"Europe/Berlin\", got \"Berlin\"",
                        "/0/at: unknown field");
        assertThat(problems("[{'from': '08:00', 'to': '08:00'}]"))
                .containsExactly("/0/to: expected another time than \"from\"");
    }

    private Condition read(String json) {
        var node = ConfigNode.parse(json.replace('\'', '"'));
        Condition condition = new TimeConditions(clock).read(node);
        assertThat(node.problems()).isEmpty();
        return condition;
    }

    private List<String> problems(String json) {
        var node = ConfigNode.parse(json.replace('\'', '"'));
        new TimeConditions(clock).read(node);
        return node.problems().stream().map(Object::toString).toList();
    }
}
