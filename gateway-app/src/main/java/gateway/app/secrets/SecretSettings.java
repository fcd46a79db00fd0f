package gateway.app.secrets;

import gateway.app.settings.StoreLocation;
import gateway.http.Secret;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Where this process has secrets from.
///
/// @param folder of secret files
/// @param key that seals stored ones; empty: the one of the data folder, if that is the store
/// @param previousKey opens what was sealed before the key was changed
/// @param variables those of the environment that are called `GATEWAY_SECRET_…`
public record SecretSettings(
        Optional<Path> folder, Optional<Secret> key, Optional<Secret> previousKey, Map<String, Secret> variables) {
    public SecretSettings {
        variables = Map.copyOf(variables);
    }

    /// The keys at hand, the one that seals first. A key in the data folder goes on opening what it sealed.
    ///
    /// @throws gateway.app.settings.StartException when the key of the data folder cannot be read or made
    public SealingKeys keys(StoreLocation store, Path data) {
        var octets = new ArrayList<byte[]>();
        key.ifPresent(found -> octets.add(octets(found)));
        if (store.uri().isEmpty())
            SealingKeyFile.open(data, key.isEmpty()).ifPresent(found -> octets.add(octets(found)));
        previousKey.ifPresent(found -> octets.add(octets(found)));
        return SealingKeys.of(List.copyOf(octets));
    }

    private static byte[] octets(Secret key) {
        return HexFormat.of().parseHex(key.reveal());
    }
}
