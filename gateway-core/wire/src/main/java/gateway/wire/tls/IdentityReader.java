package gateway.wire.tls;

import gateway.http.Secret;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// Reads an identity from where an operator keeps it: a folder with `tls.crt` and `tls.key`, as Kubernetes mounts
/// secrets; a PEM file of chain and key; two PEM files; or a PKCS#12 store.
final class IdentityReader {
    private IdentityReader() {}

    /// @param key apart from `place`; empty: `place` holds it too
    /// @param password of an encrypted key or a PKCS#12 store
    /// @throws TlsFileException when nothing usable is there
    static Identity read(Path place, Optional<Path> key, Optional<Secret> password) {
        if (key.isPresent()) return ofPem(place, key.get(), password);
        if (Files.isDirectory(place)) return ofPem(place.resolve("tls.crt"), place.resolve("tls.key"), password);
        return isStore(place) ? ofStore(place, password) : ofPem(place, place, password);
    }

    private static boolean isStore(Path place) {
        String name = place.toString();
        return name.endsWith(".p12") || name.endsWith(".pfx");
    }

    private static Identity ofPem(Path chain, Path key, Optional<Secret> password) {
        List<X509Certificate> certificates = Certificates.read(chain);
        List<Pem> keys = Pem.read(key).stream().filter(PrivateKeys::isKey).toList();
        if (keys.isEmpty()) throw new TlsFileException(key + ": holds no private key");
        if (keys.size() > 1) throw keys.get(1).wrong("a second private key");
        return Identity.of(chain, certificates, PrivateKeys.read(keys.getFirst(), password));
    }

    private static Identity ofStore(Path file, Optional<Secret> password) {
        char[] phrase = password.map(Secret::reveal).orElse("").toCharArray();
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(new ByteArrayInputStream(Pem.bytes(file)), phrase);
            var found = new ArrayList<Identity>();
            for (String alias : Collections.list(store.aliases())) {
                Key key = store.getKey(alias, phrase);
                if (key instanceof PrivateKey own) found.add(Identity.of(file, chain(store, alias), own));
            }
            if (found.size() == 1) return found.getFirst();
            throw new TlsFileException(file + ": holds " + found.size() + " private keys, expected one");
        } catch (GeneralSecurityException | IOException e) {
            throw new TlsFileException(file + ": no PKCS#12 store, or the password is not its");
        } finally {
            Arrays.fill(phrase, ' ');
        }
    }

    private static List<X509Certificate> chain(KeyStore store, String alias) throws GeneralSecurityException {
        Certificate[] chain = store.getCertificateChain(alias);
        if (chain == null) return List.of();
        return Arrays.stream(chain).map(X509Certificate.class::cast).toList();
    }
}
