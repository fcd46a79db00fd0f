package gateway.app.secrets;

import gateway.app.file.OwnerOnly;
import gateway.app.settings.StartException;
import gateway.http.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/// The file `secrets.key` of a data folder: 64 hexadecimal digits, made when secrets could be stored and no key was
/// set.
final class SealingKeyFile {
    private static final String NAME = "secrets.key";
    private static final String FORM = "[0-9a-fA-F]{" + 2 * SealingKeys.BYTES + "}";

    private SealingKeyFile() {}

    /// @param make whether to make one where there is none; in a folder that cannot be written to it is not kept
    /// @throws StartException when it cannot be read or is damaged
    static Optional<Secret> open(Path data, boolean make) {
        Path file = data.resolve(NAME);
        try {
            if (Files.exists(file)) return Optional.of(read(file));
            if (!make) return Optional.empty();
            byte[] random = new byte[SealingKeys.BYTES];
            new SecureRandom().nextBytes(random);
            String key = HexFormat.of().formatHex(random);
            OwnerOnly.createFolders(data);
            if (Files.isWritable(data)) {
                OwnerOnly.createFile(file);
                Files.writeString(file, key + "\n", StandardOpenOption.WRITE, StandardOpenOption.SYNC);
            }
            return Optional.of(new Secret(key));
        } catch (IOException e) {
            throw new StartException(
                    "cannot open " + file + " (" + e + "); set " + SecretSettingTable.SECRETS_KEY.variable());
        }
    }

    private static Secret read(Path file) throws IOException {
        String text = Files.readString(file).strip();
        if (text.matches(FORM)) return new Secret(text);
        throw new StartException(file + " is damaged: expected " + 2 * SealingKeys.BYTES
                + " hexadecimal digits; restore it from a backup, or remove it when no secrets are stored");
    }
}
