package gateway.app.component;

import gateway.app.settings.Address;
import gateway.app.settings.Setting;
import gateway.app.settings.Setting.Format;
import gateway.app.settings.SettingFormats;
import gateway.app.settings.SettingTable;
import gateway.app.settings.SettingsReader;
import gateway.http.Secret;
import gateway.json.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Every setting of a member of the cache component.
public final class MemberSettingTable {
    public static final Setting<Address> LISTEN = Setting.of(
            "cacheMemberListen",
            "127.0.0.1:5701",
            "where members of the cache component call each other; on a private network or loopback alone",
            SettingFormats.ADDRESS);
    static final Setting<Optional<String>> ADDRESS = Setting.of(
            "cacheMemberAddress",
            "",
            "host:port that other members are told to call, where that is another, such as behind a proxy",
            SettingFormats.OPTIONAL_TEXT);
    static final Setting<List<String>> MEMBERS = Setting.of(
            "cacheMembers",
            "",
            "where other members may be found: host:port each, or a name that stands for all of them",
            SettingFormats.list(SettingFormats.matching(
                    "host:port, or a host", "([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?")));
    static final Setting<Optional<Secret>> SECRET = Setting.of(
                    "cacheMemberSecret",
                    "",
                    "what members have in common, 32 characters or more",
                    SettingFormats.SECRET)
            .shownAs(SettingFormats::hidden);
    static final Setting<List<Secret>> TOKENS = Setting.of(
                    "cacheTokens",
                    "",
                    "bearer tokens by which gateways ask the cache component, 32 characters or more each",
                    SettingFormats.list(new Format<>("tokens", text -> Optional.of(new Secret(text)))))
            .shownAs(SettingFormats::hidden);
    static final Setting<List<CertificateName>> CLIENTS = Setting.of(
            "cacheClients",
            "",
            "certificates by which gateways ask it without a token: the SHA-256 of each, or its subject with `;` in place"
                    + " of commas",
            SettingFormats.list(new Format<>(
                    "certificates by SHA-256, or by subject such as \"CN=gateway;O=Example\"",
                    CertificateName::parse)));
    static final Setting<Integer> OPERATION_THREADS = Setting.of(
                    "cacheOperationThreads",
                    "",
                    "threads of a member that work on entries",
                    SettingFormats.wholeNumber(1, 256))
            .fallingBackTo(
                    reader -> Integer.toString(reader.read(SettingTable.TIER).cpus()));
    static final Setting<Integer> SHARE = Setting.of(
            "cacheShare",
            "40",
            "part of a member's heap that entries may take, in percent, backups for others included",
            SettingFormats.wholeNumber(1, 60));
    static final Setting<Duration> LEAVE = Setting.of(
            "cacheLeave",
            Durations.text(Duration.ofMinutes(1)),
            "how long a member that stops may take to hand over what it has",
            SettingFormats.duration(Duration.ofSeconds(1), Duration.ofHours(1)));

    public static final List<Setting<?>> ALL =
            List.of(LISTEN, ADDRESS, MEMBERS, SECRET, TOKENS, CLIENTS, OPERATION_THREADS, SHARE, LEAVE);

    private MemberSettingTable() {}

    public static MemberTerms read(SettingsReader reader) {
        return new MemberTerms(
                reader.read(LISTEN),
                reader.read(ADDRESS),
                reader.read(MEMBERS),
                reader.read(SECRET),
                reader.read(TOKENS),
                reader.read(CLIENTS),
                reader.read(OPERATION_THREADS),
                reader.read(SHARE),
                reader.read(LEAVE));
    }
}
