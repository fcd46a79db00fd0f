package gateway.app.traffic;

import gateway.app.settings.Setting;
import gateway.app.settings.SettingTable;
import gateway.app.settings.SettingsReader;
import gateway.app.traffic.TrafficTarget.Credentials;
import gateway.http.Secret;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Puts the traffic log's settings together and refuses those that do not go together.
public final class TrafficSettingsReader {
    private static final int BATCH_BYTES = 1 << 20;
    private static final Duration CLOSE = Duration.ofSeconds(10);

    private final SettingsReader reader;

    public TrafficSettingsReader(SettingsReader reader) {
        this.reader = reader;
    }

    /// Empty when requests are not recorded.
    public Optional<TrafficSettings> read() {
        return switch (reader.read(TrafficSettingTable.TRAFFIC_LOG)) {
            case OFF -> Optional.empty();
            case STDOUT -> Optional.of(to(new TrafficTarget.Stdout()));
            case FILE -> Optional.of(to(file()));
            case ELASTICSEARCH -> Optional.of(to(elasticsearch()));
        };
    }

    private TrafficSettings to(TrafficTarget target) {
        return new TrafficSettings(
                reader.read(SettingTable.NODE),
                reader.read(TrafficSettingTable.QUEUE),
                reader.read(TrafficSettingTable.BATCH),
                BATCH_BYTES,
                reader.read(TrafficSettingTable.FLUSH),
                CLOSE,
                target);
    }

    private TrafficTarget file() {
        return new TrafficTarget.File(
                reader.read(TrafficSettingTable.FILE),
                reader.read(TrafficSettingTable.FILE_SIZE),
                reader.read(TrafficSettingTable.FILES),
                reader.read(TrafficSettingTable.FSYNC));
    }

    private TrafficTarget elasticsearch() {
        List<URI> nodes = reader.read(TrafficSettingTable.ELASTICSEARCH_URL);
        if (nodes.isEmpty()) {
            problem(
                    TrafficSettingTable.ELASTICSEARCH_URL,
                    "expected an http:// or https:// location, since the traffic log goes to Elasticsearch");
        }
        if (nodes.stream().anyMatch(node -> node.getRawUserInfo() != null)) {
            problem(
                    TrafficSettingTable.ELASTICSEARCH_URL,
                    "expected no user in the location; set " + TrafficSettingTable.USER.variable());
        }
        Optional<Path> authorities = reader.read(TrafficSettingTable.CA);
        authorities
                .filter(file -> !Files.isReadable(file))
                .ifPresent(file -> problem(TrafficSettingTable.CA, "expected a file that can be read, got " + file));
        return new TrafficTarget.Elasticsearch(
                nodes,
                credentials(),
                authorities,
                reader.read(TrafficSettingTable.STREAM),
                reader.read(TrafficSettingTable.RETENTION),
                reader.read(TrafficSettingTable.ILM_POLICY),
                reader.read(TrafficSettingTable.REQUESTS),
                reader.read(TrafficSettingTable.TIMEOUT),
                reader.read(TrafficSettingTable.SPILL),
                reader.read(TrafficSettingTable.SPILL_SIZE));
    }

    private Credentials credentials() {
        Optional<Secret> key = reader.read(TrafficSettingTable.API_KEY);
        Optional<String> user = reader.read(TrafficSettingTable.USER);
        Optional<Secret> password = reader.read(TrafficSettingTable.PASSWORD);
        if (key.isPresent() && user.isPresent()) {
            problem(TrafficSettingTable.API_KEY, "expected an API key or a user, got both");
        }
        if (user.isPresent() != password.isPresent()) {
            problem(TrafficSettingTable.PASSWORD, "expected a user and a password together, got one of them");
        }
        if (key.isPresent()) return new Credentials.ApiKey(key.get());
        if (user.isPresent() && password.isPresent()) return new Credentials.Basic(user.get(), password.get());
        return new Credentials.None();
    }

    private void problem(Setting<?> setting, String message) {
        reader.problem(reader.place(setting), message);
    }
}
