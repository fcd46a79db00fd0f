package gateway.app.proxy;

import gateway.app.settings.Setting;
import gateway.app.settings.SettingFormats;
import gateway.app.settings.SettingTable;
import gateway.app.settings.SettingsReader;
import gateway.wire.accept.ConnectionLimits;
import java.time.Duration;
import java.util.List;

/// Every setting of how many connections there may be, of those that become WebSockets, and of what one client may have
/// and must do.
public final class ConnectionSettingTable {
    private static final int MOST = 10_000_000;

    static final Setting<Integer> CONNECTIONS = Setting.of(
                    "connections",
                    "",
                    "connections of clients at once; one more ends a silent one or is closed",
                    SettingFormats.wholeNumber(1, MOST))
            .fallingBackTo(reader -> Integer.toString(OpenFiles.connections(
                    reader.read(SettingTable.TIER).connections(), reader.read(SettingTable.REQUESTS_IN_FLIGHT))));
    static final Setting<Integer> CONNECTIONS_PER_CLIENT = Setting.of(
            "connectionsPerClient",
            "0",
            "connections at once of one client address; one more is closed; 0: as many as it likes",
            SettingFormats.wholeNumber(0, MOST));
    public static final Setting<Integer> REQUESTS_PER_CLIENT = Setting.of(
                    "requestsPerClient",
                    "",
                    "requests of one client address under way or waiting at once; one more is answered 503; 0: as many as it likes",
                    SettingFormats.wholeNumber(0, MOST))
            .fallingBackTo(reader -> Integer.toString(Math.max(
                    1,
                    (reader.read(SettingTable.REQUESTS_IN_FLIGHT) + reader.read(SettingTable.REQUESTS_WAITING)) / 2)));
    static final Setting<Integer> LEAST_UPLOAD_RATE = Setting.of(
            "leastUploadRate",
            Integer.toString(LeastRates.USUAL.upload()),
            "bytes a second that a client must send of a body on average, after 5 s; 0: any",
            SettingFormats.wholeNumber(0, MOST));
    static final Setting<Integer> LEAST_DOWNLOAD_RATE = Setting.of(
            "leastDownloadRate",
            Integer.toString(LeastRates.USUAL.download()),
            "bytes a second that a client must take of an answer on average, after 5 s; 0: any",
            SettingFormats.wholeNumber(0, MOST));
    static final Setting<Integer> WEB_SOCKETS = Setting.of(
                    "webSockets",
                    "",
                    "WebSockets open at once; one more is answered 503; 0: none, handshakes are plain requests",
                    SettingFormats.wholeNumber(0, MOST))
            .fallingBackTo(reader -> Integer.toString(reader.read(CONNECTIONS) / 2));
    static final Setting<Duration> WEB_SOCKET_IDLE = Setting.of(
            "webSocketIdle",
            "10m",
            "how long nothing may move on a WebSocket until it is closed",
            SettingFormats.duration(Duration.ofSeconds(1), Duration.ofDays(30)));

    public static final List<Setting<?>> ALL = List.of(
            CONNECTIONS,
            CONNECTIONS_PER_CLIENT,
            REQUESTS_PER_CLIENT,
            LEAST_UPLOAD_RATE,
            LEAST_DOWNLOAD_RATE,
            WEB_SOCKETS,
            WEB_SOCKET_IDLE);

    private ConnectionSettingTable() {}

    public static ConnectionLimits connections(SettingsReader reader) {
        return new ConnectionLimits(reader.read(CONNECTIONS), reader.read(CONNECTIONS_PER_CLIENT));
    }

    public static LeastRates leastRates(SettingsReader reader) {
        return LeastRates.of(reader.read(LEAST_UPLOAD_RATE), reader.read(LEAST_DOWNLOAD_RATE));
    }

    public static WebSocketLimits webSockets(SettingsReader reader) {
        return new WebSocketLimits(reader.read(WEB_SOCKETS), reader.read(WEB_SOCKET_IDLE));
    }
}
