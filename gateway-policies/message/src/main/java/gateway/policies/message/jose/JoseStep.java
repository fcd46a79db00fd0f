package gateway.policies.message.jose;

import gateway.json.ConfigNode;
import gateway.policy.Dependency;
import java.util.Optional;
import java.util.stream.Stream;

/// What is done to a message, or to a part of it.
sealed interface JoseStep permits VerifyStep, DecryptStep, SignStep, EncryptStep {
    JosePart part();

    JoseForm form();

    JoseAction compile(JosePlace place);

    /// Its name in definitions.
    String name();

    /// Whether bodies are read for it.
    default boolean inBody() {
        return part().inBody();
    }

    /// Whether bodies are changed by it.
    default boolean changesBody() {
        return part().inBody();
    }

    /// Whether it takes something out of what others have closed.
    default boolean opens() {
        return switch (this) {
            case VerifyStep _, DecryptStep _ -> true;
            case SignStep _, EncryptStep _ -> false;
        };
    }

    /// The server that is asked for keys.
    default Optional<Dependency.Server> server() {
        return Optional.empty();
    }

    /// Reads one of a list: an object with one member, by which it is called.
    ///
    /// @param answers whether it is for answers
    static Optional<JoseStep> read(ConfigNode node, boolean answers) {
        if (!node.requireObject()) return Optional.empty();
        ConfigNode verify = node.field("verify", "signed by somebody who is known, or else refused");
        ConfigNode decrypt = node.field("decrypt", "opened with a key of ours, or else refused");
        ConfigNode sign = node.field("sign", "signed with a key of ours");
        ConfigNode encrypt = node.field("encrypt", "encrypted for somebody");
        long given = Stream.of(verify, decrypt, sign, encrypt)
                .filter(ConfigNode::isPresent)
                .count();
        node.one("verify", "decrypt", "sign", "encrypt");
        if (given != 1) node.problem("expected one of verify, decrypt, sign and encrypt, got " + given);
        node.refuseUnknownFields();
        Optional<JoseStep> read = Optional.empty();
        verify.named("JoseVerify", here -> VerifyStep.read(here, answers));
        decrypt.named("JoseDecrypt", here -> DecryptStep.read(here, answers));
        sign.named("JoseSign", here -> SignStep.read(here, answers));
        encrypt.named("JoseEncrypt", here -> EncryptStep.read(here, answers));
        if (verify.isPresent()) read = Optional.of(VerifyStep.read(verify, answers));
        else if (decrypt.isPresent()) read = Optional.of(DecryptStep.read(decrypt, answers));
        else if (sign.isPresent()) read = Optional.of(SignStep.read(sign, answers));
        else if (encrypt.isPresent()) read = Optional.of(EncryptStep.read(encrypt, answers));
        return read;
    }
}
