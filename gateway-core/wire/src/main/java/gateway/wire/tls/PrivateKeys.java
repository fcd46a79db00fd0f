package gateway.wire.tls;

import gateway.http.Secret;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/// Reads private keys of PEM blocks: PKCS#8, plain or encrypted (RFC 5958), PKCS#1 (RFC 8017) and SEC 1 (RFC 5915).
final class PrivateKeys {
    private static final int EXPLICIT_0 = 0xa0;
    private static final byte[] VERSION_0 = {2, 1, 0};
    private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");
    private static final byte[] EC_OID = HexFormat.of().parseHex("06072a8648ce3d0201");

    private PrivateKeys() {}

    static boolean isKey(Pem block) {
        return block.label().endsWith("PRIVATE KEY");
    }

    /// @param password of an encrypted key
    /// @throws TlsFileException when it is no key that can be used
    static PrivateKey read(Pem block, Optional<Secret> password) {
        return switch (block.label()) {
            case "PRIVATE KEY" -> key(block, block.content());
            case "RSA PRIVATE KEY" ->
                key(block, Der.of(Der.SEQUENCE, VERSION_0, RSA, Der.of(Der.OCTETS, block.content())));
            case "EC PRIVATE KEY" -> key(block, ofCurve(block));
            case "ENCRYPTED PRIVATE KEY" -> key(block, decrypted(block, password));
            default -> throw block.wrong("a " + block.label() + " cannot be used");
        };
    }

    private static byte[] ofCurve(Pem block) {
        byte[] curve =
                Der.part(block.content(), EXPLICIT_0).orElseThrow(() -> block.wrong("the key does not name its curve"));
        return Der.of(
                Der.SEQUENCE, VERSION_0, Der.of(Der.SEQUENCE, EC_OID, curve), Der.of(Der.OCTETS, block.content()));
    }

    private static byte[] decrypted(Pem block, Optional<Secret> password) {
        Secret secret = password.orElseThrow(() -> block.wrong("the key is encrypted and no password is set"));
        var phrase = new PBEKeySpec(secret.reveal().toCharArray());
        try {
            var info = new EncryptedPrivateKeyInfo(block.content());
            String scheme = info.getAlgName().startsWith("PBES2")
                    ? info.getAlgParameters().toString() // the JDK's own name of what PBES2 is made of
                    : info.getAlgName();
            Cipher cipher = Cipher.getInstance(scheme);
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    SecretKeyFactory.getInstance(scheme).generateSecret(phrase),
                    info.getAlgParameters());
            return info.getKeySpec(cipher).getEncoded();
        } catch (GeneralSecurityException | IOException e) {
            throw block.wrong("the key cannot be decrypted with the password");
        } finally {
            phrase.clearPassword();
        }
    }

    private static PrivateKey key(Pem block, byte[] pkcs8) {
        var spec = new PKCS8EncodedKeySpec(pkcs8);
        for (String algorithm : new String[] {"RSA", "EC", "EdDSA", "RSASSA-PSS"}) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (GeneralSecurityException e) {
                // another algorithm, or none: said below
            }
        }
        throw block.wrong("the key is neither RSA nor EC nor EdDSA, or is broken");
    }
}
