package gateway.component;

import com.hazelcast.config.AdvancedNetworkConfig;
import com.hazelcast.config.ClassFilter;
import com.hazelcast.config.Config;
import com.hazelcast.config.EvictionConfig;
import com.hazelcast.config.EvictionPolicy;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.JavaSerializationFilterConfig;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MaxSizePolicy;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.config.PartitioningStrategyConfig;
import com.hazelcast.config.ServerSocketEndpointConfig;
import com.hazelcast.partition.strategy.StringPartitioningStrategy;
import com.hazelcast.spi.merge.LatestUpdateMergePolicy;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// A member as Hazelcast is told of it: it speaks to members alone, finds them where it is told to look, and sends
/// nobody else anything. Its clients, its REST endpoints, its management, multicast and its reports home are off.
final class MemberConfig {
    static final String ENTRIES = "entries";
    static final String STATES = "states";
    static final String NAME_PREFIX = "gateway-members-";

    /// Most of what is kept is content: states of groups are a hundred bytes each.
    static final int STATES_PART = 8;

    private static final int LEAST_MEBIBYTES = 1;
    private static final int HEARTBEAT_SECONDS = 1;
    private static final int SILENCE_SECONDS = 5;
    private static final int MERGE_SECONDS = 10;
    private static final int CALL_MILLIS = 5_000;

    /// What failures are made of, which members tell each other as Java serialises them.
    private static final String[] FAILURES = {
        "java.lang.Throwable",
        "java.lang.Exception",
        "java.lang.RuntimeException",
        "java.lang.Error",
        "java.lang.IllegalArgumentException",
        "java.lang.IllegalStateException",
        "java.lang.InterruptedException",
        "java.lang.NullPointerException",
        "java.lang.UnsupportedOperationException",
        "java.lang.StackTraceElement",
        "[Ljava.lang.StackTraceElement;",
        "java.io.IOException",
        "java.util.Collections$EmptyList",
        "java.util.Collections$UnmodifiableCollection",
        "java.util.Collections$UnmodifiableList",
        "java.util.ArrayList",
        "java.util.concurrent.CancellationException",
        "java.util.concurrent.CompletionException",
        "java.util.concurrent.ExecutionException",
        "java.util.concurrent.TimeoutException",
    };

    private MemberConfig() {}

    static Config of(MemberSettings settings) {
        var config = new Config();
        config.setClusterName(clusterName(settings));
        config.setClassLoader(MemberConfig.class.getClassLoader());
        config.setAdvancedNetworkConfig(network(settings));
        config.getMetricsConfig().setEnabled(false);
        config.getJetConfig().setEnabled(false);
        config.getManagementCenterConfig()
                .setScriptingEnabled(false)
                .setConsoleEnabled(false)
                .setDataAccessEnabled(false);
        config.getSerializationConfig()
                .setJavaSerializationFilterConfig(failuresOnly())
                .addDataSerializableFactory(GroupCounting.FACTORY, GroupCounting.MADE);
        long states = settings.mostBytes() / STATES_PART;
        config.addMapConfig(map(ENTRIES, settings.mostBytes() - states));
        config.addMapConfig(map(STATES, states));
        properties(config, settings);
        return config;
    }

    /// Whoever does not know the secret cannot tell the name, without which nobody joins.
    private static String clusterName(MemberSettings settings) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            byte[] key = settings.secret().reveal().getBytes(StandardCharsets.UTF_8);
            mac.init(new SecretKeySpec(key, mac.getAlgorithm()));
            byte[] name = mac.doFinal("members of the cache component, 1".getBytes(StandardCharsets.UTF_8));
            return NAME_PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(name);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HMAC with SHA-256", e);
        }
    }

    private static AdvancedNetworkConfig network(MemberSettings settings) {
        var endpoint = new ServerSocketEndpointConfig();
        endpoint.setPort(settings.port()).setPortAutoIncrement(false).setReuseAddress(true);
        if (!settings.announced().isEmpty()) endpoint.setPublicAddress(settings.announced());
        endpoint.getInterfaces().setEnabled(true).addInterface(settings.host());
        var network = new AdvancedNetworkConfig().setEnabled(true).setMemberEndpointConfig(endpoint);
        JoinConfig join = network.getJoin();
        join.getMulticastConfig().setEnabled(false);
        join.getAutoDetectionConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true).setMembers(settings.members());
        return network;
    }

    private static JavaSerializationFilterConfig failuresOnly() {
        var classes = new ClassFilter().addClasses(FAILURES).addPrefixes("com.hazelcast.");
        return new JavaSerializationFilterConfig().setDefaultsDisabled(true).setWhitelist(classes);
    }

    private static MapConfig map(String name, long bytes) {
        long mebibytes = Math.clamp(bytes >> 20, LEAST_MEBIBYTES, Integer.MAX_VALUE);
        return new MapConfig(name)
                .setInMemoryFormat(InMemoryFormat.BINARY)
                .setBackupCount(1)
                .setPerEntryStatsEnabled(true) // when it was written, by which halves of a split are put together
                .setPartitioningStrategyConfig(new PartitioningStrategyConfig(StringPartitioningStrategy.INSTANCE))
                .setMergePolicyConfig(new MergePolicyConfig().setPolicy(LatestUpdateMergePolicy.class.getName()))
                .setEvictionConfig(new EvictionConfig()
                        .setEvictionPolicy(EvictionPolicy.LRU)
                        .setMaxSizePolicy(MaxSizePolicy.USED_HEAP_SIZE)
                        .setSize((int) mebibytes));
    }

    private static void properties(Config config, MemberSettings settings) {
        config.setProperty("hazelcast.phone.home.enabled", "false")
                .setProperty("hazelcast.logging.class", MemberLog.class.getName())
                .setProperty("hazelcast.logging.details.enabled", "false")
                .setProperty("hazelcast.shutdownhook.enabled", "false")
                .setProperty("hazelcast.socket.bind.any", "false")
                .setProperty("hazelcast.heartbeat.interval.seconds", "" + HEARTBEAT_SECONDS)
                .setProperty("hazelcast.max.no.heartbeat.seconds", "" + SILENCE_SECONDS)
                .setProperty("hazelcast.merge.first.run.delay.seconds", "" + MERGE_SECONDS)
                .setProperty("hazelcast.merge.next.run.delay.seconds", "" + MERGE_SECONDS)
                .setProperty("hazelcast.operation.call.timeout.millis", "" + CALL_MILLIS)
                .setProperty("hazelcast.operation.backup.timeout.millis", "" + CALL_MILLIS)
                .setProperty("hazelcast.wait.seconds.before.join", "1")
                .setProperty("hazelcast.max.wait.seconds.before.join", "5")
                .setProperty("hazelcast.operation.thread.count", "" + settings.operationThreads())
                .setProperty(
                        "hazelcast.graceful.shutdown.max.wait",
                        "" + Math.max(1, settings.leave().toSeconds()));
    }
}
