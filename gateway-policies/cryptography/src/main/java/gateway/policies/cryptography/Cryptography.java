package gateway.policies.cryptography;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Optional;
import javax.crypto.Cipher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whose cryptography makes and verifies signatures of public keys, opens what is encrypted for one, and agrees upon
/// keys: the Corretto provider's where it loads, the JDK's elsewhere. It is asked for by each of these and never
/// becomes a provider of the whole process. Decision 193.
public final class Cryptography {
    /// The system property that chooses: `jdk` loads nothing.
    static final String CHOICE = "gateway.cryptography";

    private static final Logger LOG = LoggerFactory.getLogger(Cryptography.class);

    private final Optional<Provider> provider;

    private Cryptography(Optional<Provider> provider) {
        this.provider = provider;
    }

    /// A library is loaded once by a process, by the first definition that holds a public key.
    private static final class OfProcess {
        static final Cryptography ONE = choose(System.getProperty(CHOICE, "native"), CorrettoLibrary.jarOfMachine());
    }

    public static Cryptography ofProcess() {
        return OfProcess.ONE;
    }

    /// @param jar name of the resource with the provider for this machine; empty: there is none
    static Cryptography choose(String choice, Optional<String> jar) {
        if (choice.equals("jdk")) {
            LOG.info("signatures by the JDK, as {} says", CHOICE);
            return new Cryptography(Optional.empty());
        }
        if (jar.isEmpty()) return byJdk("there is none for " + System.getProperty("os.arch"));
        try {
            Provider provider = CorrettoLibrary.load(jar.get());
            LOG.info("signatures by {} {}", provider.getName(), provider.getVersionStr());
            return new Cryptography(Optional.of(provider));
        } catch (CorrettoException e) {
            return byJdk(e.reason());
        }
    }

    private static Cryptography byJdk(String reason) {
        LOG.info("signatures by the JDK: the native provider does not load: {}", reason);
        return new Cryptography(Optional.empty());
    }

    /// Empty: the JDK's own.
    public Optional<Provider> provider() {
        return provider;
    }

    /// @param algorithm as Java calls it
    public Signature signature(String algorithm) throws GeneralSecurityException {
        return provider.isPresent()
                ? Signature.getInstance(algorithm, provider.get())
                : Signature.getInstance(algorithm);
    }

    /// To open or close what is for the holder of a key pair.
    ///
    /// @param algorithm as Java calls it
    public Cipher cipher(String algorithm) throws GeneralSecurityException {
        return provider.isPresent() ? Cipher.getInstance(algorithm, provider.get()) : Cipher.getInstance(algorithm);
    }

    /// New keys of a curve.
    ///
    /// @param curve as Java calls it
    public KeyPair keyPair(String curve) throws GeneralSecurityException {
        KeyPairGenerator keys = provider.isPresent()
                ? KeyPairGenerator.getInstance("EC", provider.get())
                : KeyPairGenerator.getInstance("EC");
        keys.initialize(new ECGenParameterSpec(curve));
        return keys.generateKeyPair();
    }

    /// The same key as whoever does the work has it, so that it is not made anew of the JDK's for each signature, which
    /// takes longer than a signature by RSA itself.
    public <K extends Key> K ready(Class<K> type, K key) {
        boolean translates =
                key.getAlgorithm().equals("RSA") || key.getAlgorithm().equals("EC");
        if (provider.isEmpty() || !translates) return key;
        try {
            KeyFactory keys = KeyFactory.getInstance(key.getAlgorithm(), provider.get());
            // A public key that was translated would be destroyed by the first agreement with it.
            Key made = key instanceof PublicKey
                    ? keys.generatePublic(new X509EncodedKeySpec(key.getEncoded()))
                    : keys.translateKey(key);
            return type.isInstance(made) ? type.cast(made) : key;
        } catch (GeneralSecurityException e) {
            return key; // one that is used as it is, or not at all
        }
    }

    /// Whether verifying with such a key takes far more than 100 µs.
    public boolean isSlow(KeyKind kind) {
        return switch (kind) {
            case RSA, SECRET -> false;
            case P256, ED25519 -> provider.isEmpty();
            case P384, P521 -> true;
        };
    }
}
