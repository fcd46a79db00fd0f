package gateway.app.admin;

import gateway.app.file.OwnerOnly;
import gateway.app.settings.SettingTable;
import gateway.app.settings.StartException;
import gateway.http.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.HexFormat;

/// The admin token of a gateway whose operator set none: 256 random bits in a file that only the operator can read,
/// made anew at each start.
public final class AdminTokenFile {
    private static final int BYTES = 32;

    private AdminTokenFile() {}

    public static Path in(Path data) {
        return data.resolve("admin-token");
    }

    /// Makes a token and leaves it in `data`, replacing the one of the last start.
    ///
    /// @throws StartException when it cannot be written
    public static Secret write(Path data) {
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        String token = HexFormat.of().formatHex(random);
        try {
            OwnerOnly.createFolders(data);
            Path fresh = OwnerOnly.createTempFile(data, "admin-token", ".new");
            Files.writeString(fresh, token + "\n");
            Files.move(fresh, in(data), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return new Secret(token);
        } catch (IOException e) {
            throw new StartException("cannot write the admin token to " + in(data) + " (" + e + "); set "
                    + SettingTable.ADMIN_TOKEN.variable() + " or " + SettingTable.DATA.variable());
        }
    }
}
