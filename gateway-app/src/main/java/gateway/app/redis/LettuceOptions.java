package gateway.app.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// How Lettuce is set up: cheap per command, quick to notice and to come back. Reasons in decision 0035.
final class LettuceOptions {
    /// Commands written and not yet answered, for each connection; more are refused.
    private static final int MOST_IN_FLIGHT = 16_384;

    private LettuceOptions() {}

    /// @param channels gains every connection made
    static ClientResources resources(ChannelGroup channels) {
        return ClientResources.builder()
                .ioThreadPoolSize(2) // Lettuce's least
                .computationThreadPoolSize(2)
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .reconnectDelay(
                        Delay.exponential(Duration.ofMillis(10), Duration.ofMillis(500), 2, TimeUnit.MILLISECONDS))
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        channels.add(channel);
                        // outermost: one write to the socket for all commands that are ready together
                        channel.pipeline().addFirst("stall", new StallGuard());
                        channel.pipeline().addFirst("flush", new FlushConsolidationHandler(256, true));
                        channel.pipeline().addLast("departures", new Departures()); // sees commands, not bytes
                    }
                })
                .build();
    }

    static ClientOptions single(RedisSettings settings) {
        return common(ClientOptions.builder(), settings).build();
    }

    static ClusterClientOptions cluster(RedisSettings settings) {
        return ClusterClientOptions.builder(single(settings))
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .adaptiveRefreshTriggersTimeout(Duration.ofMillis(500))
                        .enablePeriodicRefresh(Duration.ofSeconds(5))
                        .build())
                .build();
    }

    private static ClientOptions.Builder common(ClientOptions.Builder options, RedisSettings settings) {
        return options.protocolVersion(ProtocolVersion.RESP2)
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(MOST_IN_FLIGHT)
                .useHashIndexQueue(false)
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(settings.patience())
                        .tcpNoDelay(true)
                        .keepAlive(true)
                        .build())
                .sslOptions(tls(settings));
    }

    private static SslOptions tls(RedisSettings settings) {
        var options = SslOptions.builder().jdkSslProvider().handshakeTimeout(settings.patience());
        settings.certificates().ifPresent(file -> options.trustManager(file.toFile()));
        return options.build();
    }
}
