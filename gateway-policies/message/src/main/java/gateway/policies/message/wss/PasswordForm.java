package gateway.policies.message.wss;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/// How a user name token shows that who wrote it knows the password (Username Token Profile 1.1 §3.1).
enum PasswordForm {
    /// A digest of nonce, time and password.
    DIGEST,
    /// The password itself.
    TEXT;

    String type() {
        return this == DIGEST ? SecurityName.PASSWORD_DIGEST : SecurityName.PASSWORD_TEXT;
    }

    /// @param created as it is written
    static String digest(byte[] nonce, String created, String password) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1"); // as the profile has it
            sha1.update(nonce);
            sha1.update(created.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(sha1.digest(password.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }
}
