package gateway.app.secrets;

import gateway.app.settings.Setting;
import gateway.app.settings.Setting.Format;
import gateway.app.settings.SettingFormats;
import gateway.app.settings.SettingsReader;
import gateway.http.Secret;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Every setting of secrets that definitions refer to.
public final class SecretSettingTable {
    private static final String HEX = "[0-9a-fA-F]{" + 2 * SealingKeys.BYTES + "}";

    static final Setting<Optional<Path>> SECRETS = Setting.of(
            "secrets",
            "",
            "folder of secret files that definitions may refer to",
            new Format<>("a folder", SettingFormats.OPTIONAL_FILE.read()));
    public static final Setting<Optional<Secret>> SECRETS_KEY = Setting.of(
                    "secretsKey",
                    "",
                    "key that seals stored secrets, 64 hexadecimal digits; a store in memory makes one when not set",
                    new Format<>("64 hexadecimal digits", SecretSettingTable::key))
            .shownAs(SettingFormats::hidden);
    static final Setting<Optional<Secret>> SECRETS_KEY_PREVIOUS = Setting.of(
                    "secretsKeyPrevious",
                    "",
                    "key that sealed them before, while it is being replaced",
                    new Format<>("64 hexadecimal digits", SecretSettingTable::key))
            .shownAs(SettingFormats::hidden);

    public static final List<Setting<?>> ALL = List.of(SECRETS, SECRETS_KEY, SECRETS_KEY_PREVIOUS);

    private SecretSettingTable() {}

    public static SecretSettings read(SettingsReader reader) {
        return new SecretSettings(
                reader.read(SECRETS), reader.read(SECRETS_KEY), reader.read(SECRETS_KEY_PREVIOUS), reader.secrets());
    }

    private static Optional<Optional<Secret>> key(String text) {
        if (text.isEmpty()) return Optional.of(Optional.empty());
        return text.matches(HEX) ? Optional.of(Optional.of(new Secret(text))) : Optional.empty();
    }
}
