package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.service.DependencyException;
import io.lettuce.core.protocol.ConnectionWatchdog;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class CurrentConnectionsTest {
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final AtomicInteger opened = new AtomicInteger();

    @Test
    void new_connections_take_over_when_lettuce_gives_up() throws Exception {
        try (var redis = RedisProcess.start();
                var link = link(redis)) {
            var told = new CountDownLatch(1);
            link.listen(List.of("news"), (_, _) -> told.countDown());
            assertThat(answers(link)).isTrue();
            lettuceGivesUp();

            redis.kill();
            until(() -> !answers(link) && !link.state().available());
            redis.restart();

            until(() -> answers(link) && link.state().available());
            redis.cli("PUBLISH", "news", "some");
            told.await();
            assertThat(opened).hasValueGreaterThan(1);
        }
    }

    @Test
    void the_listening_connection_is_replaced_when_it_alone_is_lost() throws Exception {
        try (var redis = RedisProcess.start();
                var link = link(redis)) {
            var told = new CountDownLatch(1);
            link.listen(List.of("news"), (_, _) -> told.countDown());
            lettuceGivesUp();

            redis.cli("CLIENT", "KILL", "TYPE", "pubsub");

            until(() -> opened.get() == 2 && "1".equals(redis.cli("PUBLISH", "news", "some")));
            told.await();
        }
    }

    private RedisLink link(RedisProcess redis) {
        var settings = RedisSettings.of(redis.uri());
        var address = RedisAddress.parse(settings.uri(), settings.patience());
        return RedisLink.open(settings, address, () -> {
            opened.incrementAndGet();
            return Connections.open(address, settings, channels);
        });
    }

    private void lettuceGivesUp() {
        for (var channel : channels) {
            channel.pipeline().get(ConnectionWatchdog.class).setReconnectSuspended(true);
        }
    }

    private static boolean answers(RedisLink link) {
        try {
            new RedisAuditLog(link, "gw").latest(0, 1);
            return true;
        } catch (DependencyException e) {
            return false;
        }
    }
}
