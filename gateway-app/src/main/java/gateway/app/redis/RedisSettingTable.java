package gateway.app.redis;

import gateway.app.settings.Setting;
import gateway.app.settings.SettingFormats;
import gateway.app.settings.SettingTable;
import gateway.app.settings.SettingsReader;
import gateway.key.Pepper;
import gateway.wire.memory.HeapShares;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// Every setting of a store in Redis.
public final class RedisSettingTable {
    static final Setting<Optional<Pepper>> KEY_PEPPER = Setting.of(
                    "keyPepper",
                    "",
                    "key to the hashes of API keys in Redis, the same on every node; made once and kept there when not set",
                    new Setting.Format<>("64 hexadecimal digits", RedisSettingTable::pepper))
            .shownAs(SettingFormats::hidden);
    static final Setting<Optional<Path>> CA = Setting.of(
            "redisCa",
            "",
            "PEM file of certificate authorities for rediss://, instead of those that Java trusts",
            SettingFormats.OPTIONAL_FILE);
    static final Setting<String> NAMESPACE = Setting.of(
            "redisNamespace",
            "gw",
            "stands before every key and channel, so that installations can share a Redis",
            SettingFormats.matching("1 to 32 letters, digits, '-' or '_'", "[A-Za-z0-9_-]{1,32}"));
    static final Setting<Duration> DEADLINE = Setting.of(
            "redisDeadline",
            "20ms",
            "longest time that a request waits for Redis",
            SettingFormats.duration(Duration.ofMillis(1), Duration.ofSeconds(10)));
    static final Setting<Duration> KEY_STALENESS = Setting.of(
            "redisKeyStaleness",
            "5m",
            "how long keys at hand go on working while Redis is away",
            SettingFormats.duration(Duration.ZERO, Duration.ofDays(1)));

    public static final List<Setting<?>> ALL = List.of(KEY_PEPPER, CA, NAMESPACE, DEADLINE, KEY_STALENESS);

    private RedisSettingTable() {}

    /// Empty when the store is not Redis.
    public static Optional<RedisSettings> read(SettingsReader reader) {
        return reader.read(SettingTable.STORE).uri().map(uri -> {
            var settings = RedisSettings.of(uri)
                    .withNamespace(reader.read(NAMESPACE))
                    .withDeadline(reader.read(DEADLINE))
                    .withKeyStaleness(reader.read(KEY_STALENESS))
                    .withRoom(room(reader.read(SettingTable.COUNTERS)));
            var trusting = reader.read(CA).map(settings::withCertificates).orElse(settings);
            return reader.read(KEY_PEPPER).map(trusting::withPepper).orElse(trusting);
        });
    }

    /// A lease takes twice the memory of a counter.
    private static RedisRoom room(int counters) {
        return new RedisRoom(
                Math.min(RedisRoom.USUAL.leases(), counters / 2),
                HeapShares.keys(Runtime.getRuntime().maxMemory()));
    }

    private static Optional<Optional<Pepper>> pepper(String text) {
        if (text.isEmpty()) return Optional.of(Optional.empty());
        if (!text.matches("[0-9a-fA-F]{64}")) return Optional.empty();
        return Optional.of(Optional.of(Pepper.of(HexFormat.of().parseHex(text))));
    }
}
