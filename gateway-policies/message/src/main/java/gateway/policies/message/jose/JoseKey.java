package gateway.policies.message.jose;

import gateway.policies.cryptography.KeyKind;
import java.security.Key;

/// A key as a definition gives it: private, public or a secret.
///
/// @param id its `kid`; empty text: none
/// @param algorithm the only one that it is for; empty text: each of its kind
record JoseKey(String id, String algorithm, KeyKind kind, Key key) {
    /// Whether it may be used by an algorithm that is called so.
    boolean isFor(String word) {
        return algorithm.isEmpty() || algorithm.equals(word);
    }

    /// Bytes of a secret.
    int length() {
        byte[] encoded = key.getEncoded();
        return encoded == null ? 0 : encoded.length;
    }

    /// Without the key.
    @Override
    public String toString() {
        return id.isEmpty() ? kind.name() : kind + " " + id;
    }
}
