package gateway.wire.client;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.steering.Ticks;
import gateway.net.UpstreamProtocol;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class Http1ServersTest {
    private final Ticks ticks = new Ticks();
    private final Http1Servers servers = new Http1Servers();

    private static TargetAddress server(int port) {
        return new TargetAddress("a.example", port, null, UpstreamProtocol.AUTO);
    }

    private boolean include(int port) {
        return servers.include(server(port), ticks.getAsLong());
    }

    private void add(int port) {
        servers.add(server(port), ticks.getAsLong());
    }

    @Test
    void a_server_is_remembered_for_a_minute() {
        add(1);
        ticks.pass(Duration.ofSeconds(59));

        assertThat(include(1)).isTrue();
        assertThat(include(2)).isFalse();
    }

    @Test
    void one_that_is_asked_for_later_is_forgotten() {
        add(1);
        ticks.pass(Duration.ofSeconds(60));

        assertThat(include(1)).isFalse();
        assertThat(servers.size()).isZero();
    }

    @Test
    void the_one_that_chose_longest_ago_makes_room() {
        for (int port = 1; port <= Http1Servers.MOST; port++) add(port);
        add(1); // anew
        add(Http1Servers.MOST + 1);

        assertThat(servers.size()).isEqualTo(Http1Servers.MOST);
        assertThat(include(1)).isTrue();
        assertThat(include(2)).isFalse();
        assertThat(include(Http1Servers.MOST + 1)).isTrue();
    }
}
