package gateway.app.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;

/// The connections of one process: one for calls, shared by all threads (in a cluster one a node), and one
/// that listens to channels.
final class Connections implements AutoCloseable {
    private final Runnable shutdown;
    private final StatefulConnection<String, String> calls;
    private final StatefulRedisPubSubConnection<String, String> messages;
    private final ChannelGroup channels;
    private final AtomicLong pinged = new AtomicLong(); // the first ping not answered yet; 0: none

    private Connections(
            Runnable shutdown,
            StatefulConnection<String, String> calls,
            StatefulRedisPubSubConnection<String, String> messages,
            ChannelGroup channels) {
        this.shutdown = shutdown;
        this.calls = calls;
        this.messages = messages;
        this.channels = channels;
    }

    /// @throws io.lettuce.core.RedisException when Redis cannot be reached or refuses the user
    static Connections open(RedisAddress address, RedisSettings settings) {
        return open(address, settings, new DefaultChannelGroup(GlobalEventExecutor.INSTANCE));
    }

    /// @param channels gains every connection made
    static Connections open(RedisAddress address, RedisSettings settings, ChannelGroup channels) {
        ClientResources resources = LettuceOptions.resources(channels);
        Runnable release = () -> resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2_000);
        try {
            return address.cluster()
                    ? cluster(address, settings, resources, release, channels)
                    : single(address, settings, resources, release, channels);
        } catch (RuntimeException e) {
            release.run();
            throw e;
        }
    }

    private static Connections single(
            RedisAddress address,
            RedisSettings settings,
            ClientResources resources,
            Runnable release,
            ChannelGroup channels) {
        var client = RedisClient.create(resources, address.seeds().getFirst());
        client.setOptions(LettuceOptions.single(settings));
        Runnable shutdown = () -> {
            client.shutdown(0, 1, TimeUnit.SECONDS);
            release.run();
        };
        return new Connections(shutdown, client.connect(), client.connectPubSub(), channels);
    }

    private static Connections cluster(
            RedisAddress address,
            RedisSettings settings,
            ClientResources resources,
            Runnable release,
            ChannelGroup channels) {
        var client = RedisClusterClient.create(resources, address.seeds());
        client.setOptions(LettuceOptions.cluster(settings));
        Runnable shutdown = () -> {
            client.shutdown(0, 1, TimeUnit.SECONDS);
            release.run();
        };
        var calls = client.connect();
        connectMasters(calls);
        return new Connections(shutdown, calls, client.connectPubSub(), channels);
    }

    /// Lettuce connects to a node on first use and refuses calls until that is done.
    private static void connectMasters(StatefulRedisClusterConnection<String, String> calls) {
        for (var node : calls.getPartitions()) {
            if (!node.is(RedisClusterNode.NodeFlag.UPSTREAM)) continue;
            calls.getConnection(node.getUri().getHost(), node.getUri().getPort());
        }
    }

    /// Writes `call`, which learns by itself when that fails.
    void send(Call call) {
        switch (calls) {
            case StatefulRedisConnection<String, String> single -> single.dispatch(call);
            case StatefulRedisClusterConnection<String, String> cluster -> cluster.dispatch(call);
            default -> throw new IllegalStateException(calls.toString());
        }
    }

    /// Calls `listener` with channel and message on Lettuce's event loop; subscribed anew after each
    /// reconnect.
    void listen(List<String> names, BiConsumer<String, String> listener) {
        messages.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
                listener.accept(channel, message);
            }
        });
        messages.sync().subscribe(names.toArray(String[]::new));
    }

    /// The threads that read what comes over them.
    Collection<EventExecutor> loops() {
        var loops = new HashSet<EventExecutor>();
        for (Channel each : channels) loops.add(each.eventLoop());
        return loops;
    }

    /// What each server answers: each node of a cluster knows of itself alone.
    ///
    /// @throws io.lettuce.core.RedisException when one of them does not answer, or may not be asked
    <T> List<T> ofEachServer(Function<RedisClusterCommands<String, String>, T> asked) {
        return switch (calls) {
            case StatefulRedisConnection<String, String> single -> List.of(asked.apply(single.sync()));
            case StatefulRedisClusterConnection<String, String> cluster -> {
                var answers = new ArrayList<T>();
                for (var node : cluster.getPartitions()) {
                    var one = cluster.getConnection(
                            node.getUri().getHost(), node.getUri().getPort());
                    answers.add(asked.apply(one.sync()));
                }
                yield answers;
            }
            default -> throw new IllegalStateException(calls.toString());
        };
    }

    /// Asks whether the listening connection lives; [StallGuard] closes it when nothing comes back.
    void pingListener() {
        pinged.compareAndSet(0, Math.max(1, System.nanoTime()));
        var _ = messages.async().ping().thenRun(() -> pinged.set(0));
    }

    /// Whether the listening connection has left a ping unanswered for that long.
    boolean deaf(long now, long nanos) {
        long since = pinged.get();
        return since != 0 && now - since > nanos;
    }

    /// Drops every connection; Lettuce makes new ones, to whoever is master now.
    void renew() {
        var _ = channels.close();
    }

    @Override
    public void close() {
        calls.close();
        messages.close();
        shutdown.run();
    }
}
