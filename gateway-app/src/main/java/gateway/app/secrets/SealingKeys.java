package gateway.app.secrets;

import gateway.service.SecretUnavailableException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// Seals secrets for the store with AES-256-GCM: `v1.<key id>.<base64url of nonce, content and tag>`.
///
/// The name of the document is authenticated with its content, so that no envelope opens in the place of another. The
/// nonce is a keyed hash of both (as in RFC 8452, by HMAC-SHA-256): the same secret makes the same envelope, no two
/// contents share a nonce, and a file that was written by hand is not news each time it is read.
public final class SealingKeys {
    /// Bytes of a key.
    public static final int BYTES = 32;

    private static final String FORM = "v1";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int ID_BYTES = 4;

    private static final Pattern ENVELOPE = Pattern.compile("v1\\.[0-9a-f]{8}\\.[A-Za-z0-9_-]{38,}");

    private final SecureRandom random = new SecureRandom();
    private final List<Key> keys; // the first one seals

    /// @param id tells envelopes which one opens them, and nothing else of it
    private record Key(String id, SecretKeySpec sealing, SecretKeySpec nonces) {}

    private SealingKeys(List<Key> keys) {
        this.keys = List.copyOf(keys);
    }

    /// @param octets of [#BYTES] each: the one that seals and opens, then those that only open; there may be none
    public static SealingKeys of(List<byte[]> octets) {
        return new SealingKeys(octets.stream().map(SealingKeys::key).toList());
    }

    private static Key key(byte[] octets) {
        if (octets.length != BYTES) throw new IllegalArgumentException("expected " + BYTES + " bytes");
        byte[] id = Arrays.copyOf(derived(octets, "id"), ID_BYTES);
        return new Key(
                HexFormat.of().formatHex(id),
                new SecretKeySpec(derived(octets, "seal"), "AES"),
                new SecretKeySpec(derived(octets, "nonce"), "HmacSHA256"));
    }

    private static byte[] derived(byte[] octets, String use) {
        return hmac(
                new SecretKeySpec(octets, "HmacSHA256"), ("gateway secrets " + use).getBytes(StandardCharsets.UTF_8));
    }

    /// @param name of the document, such as `secrets/orders-token`
    /// @throws SecretUnavailableException when there is no key
    String seal(String name, String plain) {
        byte[] content = plain.getBytes(StandardCharsets.UTF_8);
        Key key = first();
        byte[] nonce = Arrays.copyOf(hmac(key.nonces(), bound(name, content)), NONCE_BYTES);
        return sealed(key, nonce, name, content);
    }

    /// The same into another envelope each time, so that nobody learns from it whether it was sealed before.
    ///
    /// @throws SecretUnavailableException when there is no key
    String sealAfresh(String name, String plain) {
        var nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        return sealed(first(), nonce, name, plain.getBytes(StandardCharsets.UTF_8));
    }

    /// Whether `text` has the form of an envelope.
    static boolean isEnvelope(String text) {
        return ENVELOPE.matcher(text).matches();
    }

    private Key first() {
        if (keys.isEmpty()) throw new SecretUnavailableException("there is no key to seal it with");
        return keys.getFirst();
    }

    private static String sealed(Key key, byte[] nonce, String name, byte[] content) {
        byte[] sealed = crypt(Cipher.ENCRYPT_MODE, key, nonce, name, content);
        byte[] all = ByteBuffer.allocate(nonce.length + sealed.length)
                .put(nonce)
                .put(sealed)
                .array();
        return FORM + "." + key.id() + "."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(all);
    }

    /// @throws SecretUnavailableException when no key at hand opens it, or it was tampered with
    String open(String name, String envelope) {
        String[] parts = envelope.split("\\.", -1);
        if (parts.length != 3 || !parts[0].equals(FORM)) {
            throw new SecretUnavailableException("expected an envelope that this version sealed");
        }
        Key key = keys.stream()
                .filter(each -> each.id().equals(parts[1]))
                .findFirst()
                .orElseThrow(() ->
                        new SecretUnavailableException("sealed with the key " + parts[1] + ", which is not here"));
        try {
            byte[] all = Base64.getUrlDecoder().decode(parts[2]);
            if (all.length < NONCE_BYTES) throw new SecretUnavailableException("the envelope is cut off");
            byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
            byte[] content = Arrays.copyOfRange(all, NONCE_BYTES, all.length);
            return new String(crypt(Cipher.DECRYPT_MODE, key, nonce, name, content), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new SecretUnavailableException("the envelope is damaged", e);
        }
    }

    /// Whether the key that seals now has sealed it.
    boolean isCurrent(String envelope) {
        return !keys.isEmpty()
                && envelope.startsWith(FORM + "." + keys.getFirst().id() + ".");
    }

    private static byte[] crypt(int mode, Key key, byte[] nonce, String name, byte[] content) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, key.sealing(), new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
            return cipher.doFinal(content);
        } catch (javax.crypto.AEADBadTagException e) {
            throw new SecretUnavailableException("the envelope is damaged, or was sealed for another name", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK lacks AES-GCM", e);
        }
    }

    /// The name's end is told, lest a letter wander between it and the content.
    private static byte[] bound(String name, byte[] content) {
        byte[] before = name.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Integer.BYTES + before.length + content.length)
                .putInt(before.length)
                .put(before)
                .put(content)
                .array();
    }

    private static byte[] hmac(SecretKeySpec key, byte[] octets) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            return mac.doFinal(octets);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK lacks HmacSHA256", e);
        }
    }
}
