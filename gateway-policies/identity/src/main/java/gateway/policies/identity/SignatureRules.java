package gateway.policies.identity;

import gateway.policies.cryptography.SignatureProfile;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What is asked of signatures.
///
/// @param cover components that have to be signed, as messages name them
/// @param label of the one that counts; empty: any
/// @param tag of the one that counts; empty: any
/// @param maxAge for how long one is good
/// @param clockSkew by how much clocks may differ
/// @param once whether each is taken once
/// @param dateHeader that stands for `Date` where it is sent, in lower case
/// @param target what the draft's `(request-target)` is
record SignatureRules(
        SignatureProfile profile,
        List<String> cover,
        Optional<String> label,
        Optional<String> tag,
        Duration maxAge,
        Duration clockSkew,
        boolean once,
        Optional<String> dateHeader,
        RequestTargetForm target) {
    /// Fields with digests of bodies, by which bodies are signed.
    private static final Set<String> DIGESTS = Set.of("content-digest", "digest");

    /// `@target-uri` says what these say.
    private static final Set<String> OF_TARGET = Set.of("@scheme", "@authority", "@path", "@query", "@request-target");

    /// What the draft's `(request-target)` has behind the method.
    enum RequestTargetForm {
        PATH_AND_QUERY,
        PATH
    }

    SignatureRules {
        cover = List.copyOf(cover);
    }

    /// @param signed names of the components that are signed whole
    /// @param hasBody whether there is one: else nobody signs its digest
    void requireCovered(Set<String> signed, boolean hasBody) {
        boolean target = signed.contains("@target-uri");
        for (int i = 0; i < cover.size(); i++) {
            String name = cover.get(i);
            if (signed.contains(name)) continue;
            if (target && OF_TARGET.contains(name)) continue;
            if (!hasBody && DIGESTS.contains(name)) continue;
            throw new BadSignatureException(SignatureFlaw.NOT_COVERED);
        }
    }

    /// What a 401 asks for. There is no registered scheme for RFC 9421; the draft's tells what to sign.
    String challenge(String realm) {
        String plain = "Signature realm=\"" + realm + '"';
        return switch (profile) {
            case RFC9421 -> plain;
            case DRAFT -> plain + ",headers=\"" + String.join(" ", cover) + '"';
        };
    }

    /// The value of `Accept-Signature` (RFC 9421 §5.1); empty for the draft, which has none.
    Optional<String> accepted() {
        if (profile == SignatureProfile.DRAFT) return Optional.empty();
        var text = new StringBuilder(label.orElse("sig1")).append("=(");
        for (int i = 0; i < cover.size(); i++) {
            text.append(i == 0 ? "\"" : " \"").append(cover.get(i)).append('"');
        }
        text.append(");created;keyid");
        if (once) text.append(";nonce");
        tag.ifPresent(own -> text.append(";tag=\"").append(own).append('"'));
        return Optional.of(text.toString());
    }
}
