package gateway.app.traffic;

import gateway.app.settings.Setting;
import gateway.app.settings.SettingFormats;
import gateway.app.settings.SettingTable;
import gateway.app.traffic.TrafficTarget.Fsync;
import gateway.http.Secret;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Every setting of the traffic log.
public final class TrafficSettingTable {
    static final Setting<TrafficLogSink> TRAFFIC_LOG = Setting.of(
            "trafficLog",
            "off",
            "where records of requests go",
            SettingFormats.choice(TrafficLogSink.class, SettingFormats::lowerCase));
    static final Setting<Integer> QUEUE = Setting.of(
            "trafficLogQueue",
            "65536",
            "records that may wait to be encoded; one more is dropped",
            SettingFormats.wholeNumber(16, 1 << 24));
    static final Setting<Integer> BATCH = Setting.of(
            "trafficLogBatch",
            "1000",
            "records after which a batch is shipped",
            SettingFormats.wholeNumber(1, 100_000));
    static final Setting<Duration> FLUSH = Setting.of(
            "trafficLogFlush",
            "1s",
            "longest time that a record waits for its batch to fill",
            SettingFormats.duration(Duration.ofMillis(10), Duration.ofMinutes(5)));
    static final Setting<Path> FILE = Setting.of("trafficLogFile", "", "file of the file sink", SettingFormats.FILE)
            .fallingBackTo(reader ->
                    reader.read(SettingTable.DATA).resolve("traffic.ndjson").toString());
    static final Setting<Long> FILE_SIZE = Setting.of(
            "trafficLogFileSize", "256MiB", "size at which the file is rotated", SettingFormats.size(1 << 16));
    static final Setting<Integer> FILES =
            Setting.of("trafficLogFiles", "5", "rotated files that are kept", SettingFormats.wholeNumber(0, 1000));
    static final Setting<Fsync> FSYNC = Setting.of(
            "trafficLogFsync",
            "interval",
            "when the file is forced to the disk; interval is once a second",
            SettingFormats.choice(Fsync.class, SettingFormats::lowerCase));
    static final Setting<Path> SPILL = Setting.of(
                    "trafficLogSpill",
                    "",
                    "folder of records that Elasticsearch does not take just now",
                    SettingFormats.FOLDER)
            .fallingBackTo(
                    reader -> reader.read(SettingTable.DATA).resolve("spill").toString());
    static final Setting<Long> SPILL_SIZE = Setting.of(
            "trafficLogSpillSize",
            "1GiB",
            "most bytes there; over it the oldest records are dropped",
            SettingFormats.size(1 << 20));
    static final Setting<String> STREAM = Setting.of(
            "trafficLogStream",
            TrafficTarget.Elasticsearch.DATA_STREAM,
            "data stream, and name of its index template",
            SettingFormats.matching("a name such as \"logs-gateway.traffic-default\"", "[a-z0-9][a-z0-9._-]{0,99}"));
    static final Setting<Duration> RETENTION = Setting.of(
            "trafficLogRetention",
            "30d",
            "age at which Elasticsearch deletes records",
            SettingFormats.duration(Duration.ofHours(1), Duration.ofDays(36_500)));
    static final Setting<Optional<String>> ILM_POLICY = Setting.of(
            "trafficLogIlmPolicy",
            "",
            "ILM policy instead of the retention, where the cluster has ILM",
            SettingFormats.OPTIONAL_TEXT);
    static final Setting<List<URI>> ELASTICSEARCH_URL = Setting.of(
                    "elasticsearchUrl", "", "nodes that traffic records are sent to", SettingFormats.HTTP_URIS)
            .shownAs(SettingFormats::hiddenUserAndQuery);
    static final Setting<Optional<Secret>> API_KEY = Setting.of(
                    "elasticsearchApiKey", "", "API key, in the encoded form", SettingFormats.SECRET)
            .shownAs(SettingFormats::hidden);
    static final Setting<Optional<String>> USER =
            Setting.of("elasticsearchUser", "", "user, with a password", SettingFormats.OPTIONAL_TEXT);
    static final Setting<Optional<Secret>> PASSWORD = Setting.of(
                    "elasticsearchPassword", "", "the user's password", SettingFormats.SECRET)
            .shownAs(SettingFormats::hidden);
    static final Setting<Optional<Path>> CA = Setting.of(
            "elasticsearchCa",
            "",
            "PEM file of certificate authorities, instead of those that Java trusts",
            SettingFormats.OPTIONAL_FILE);
    static final Setting<Integer> REQUESTS =
            Setting.of("elasticsearchRequests", "3", "requests under way at once", SettingFormats.wholeNumber(1, 64));
    static final Setting<Duration> TIMEOUT = Setting.of(
            "elasticsearchTimeout",
            "10s",
            "longest time that a node may take for one request",
            SettingFormats.duration(Duration.ofMillis(100), Duration.ofMinutes(5)));

    public static final List<Setting<?>> ALL = List.of(
            TRAFFIC_LOG,
            QUEUE,
            BATCH,
            FLUSH,
            FILE,
            FILE_SIZE,
            FILES,
            FSYNC,
            SPILL,
            SPILL_SIZE,
            STREAM,
            RETENTION,
            ILM_POLICY,
            ELASTICSEARCH_URL,
            API_KEY,
            USER,
            PASSWORD,
            CA,
            REQUESTS,
            TIMEOUT);

    private TrafficSettingTable() {}
}
