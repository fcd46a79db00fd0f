package gateway.app.entries;

import gateway.app.settings.Setting;
import gateway.app.settings.SettingFormats;
import gateway.app.settings.SettingTable;
import gateway.app.settings.SettingsReader;
import gateway.http.Secret;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Every setting of a gateway that asks the cache component.
public final class ComponentSettingTable {
    public static final Setting<List<URI>> COMPONENT = Setting.of(
                    "cacheComponent",
                    "",
                    "URLs of the cache component, in which gateways share entries instead of in Redis",
                    SettingFormats.HTTP_URIS)
            .shownAs(SettingFormats::hiddenUserAndQuery);
    static final Setting<Optional<Secret>> TOKEN = Setting.of(
                    "cacheComponentToken", "", "bearer token that it asks for", SettingFormats.SECRET)
            .shownAs(SettingFormats::hidden);
    static final Setting<Duration> DEADLINE = Setting.of(
            "cacheComponentDeadline",
            "20ms",
            "longest time that a request waits for it",
            SettingFormats.duration(Duration.ofMillis(1), Duration.ofSeconds(10)));

    public static final List<Setting<?>> ALL = List.of(COMPONENT, TOKEN, DEADLINE);

    private ComponentSettingTable() {}

    /// Empty when there is none.
    public static Optional<ComponentTerms> read(SettingsReader reader) {
        List<URI> members = reader.read(COMPONENT);
        Optional<Secret> token = reader.read(TOKEN);
        Duration deadline = reader.read(DEADLINE);
        if (members.isEmpty()) return Optional.empty();
        if (token.isEmpty()) reader.problem(reader.place(TOKEN), "expected the token of the cache component");
        if (reader.read(SettingTable.STORE).uri().isEmpty())
            reader.problem(
                    reader.place(COMPONENT),
                    "expected a store in Redis beside it, by which gateways tell each other what is purged; set "
                            + SettingTable.STORE.variable());
        return token.map(secret -> new ComponentTerms(members, secret, deadline));
    }
}
