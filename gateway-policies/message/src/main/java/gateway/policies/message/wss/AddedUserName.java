package gateway.policies.message.wss;

import gateway.config.SecretReader;
import gateway.http.Secret;
import gateway.json.ConfigNode;
import gateway.policies.message.xml.XmlEscapes;
import gateway.service.SecretReference;
import java.security.SecureRandom;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import org.w3c.dom.Element;

/// Says who calls by a name and a password of ours, in place of what said so before.
record AddedUserName(String user, SecretReference password, PasswordForm form) implements SecurityStep {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int NONCE_BYTES = 16;
    private static final int LONGEST_NAME = 256;

    static AddedUserName read(ConfigNode node) {
        node.requireObject();
        ConfigNode name = node.field("name", "of the user");
        String user = name.requiredText();
        name.extent(0, LONGEST_NAME);
        if (user.length() > LONGEST_NAME)
            name.problem("expected at most " + LONGEST_NAME + " characters, got " + user.length());
        if (!XmlEscapes.isWritable(user) || user.chars().anyMatch(Character::isISOControl))
            name.expected("characters that XML has, none of them of control");
        var step = new AddedUserName(
                user,
                SecretReader.read(node.field("password", "of the user")),
                node.field("type", "a digest of the password with nonce and time, or the password itself")
                        .choice(PasswordForm.DIGEST));
        node.refuseUnknownFields();
        return step;
    }

    @Override
    public String name() {
        return "add-username-token";
    }

    @Override
    public boolean onlyAdds() {
        return true;
    }

    @Override
    public SecurityAction compile(SecurityPlace place) {
        Secret secret = place.read("password", services -> services.secret(password));
        return (message, _) -> {
            Element security = message.securityToWrite(place.mustUnderstand());
            SecurityName.USERNAME_TOKEN.in(security).ifPresent(security::removeChild);
            String created = place.services()
                    .clock()
                    .instant()
                    .truncatedTo(ChronoUnit.MILLIS)
                    .toString();
            write(SecurityName.USERNAME_TOKEN.addedTo(security), secret.reveal(), created);
        };
    }

    private void write(Element token, String plain, String created) {
        var nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        SecurityName.wsse("Username").addedTo(token).setTextContent(user);
        Element shown = SecurityName.wsse("Password").addedTo(token);
        shown.setAttributeNS(null, "Type", form.type());
        shown.setTextContent(form == PasswordForm.TEXT ? plain : PasswordForm.digest(nonce, created, plain));
        Element once = SecurityName.wsse("Nonce").addedTo(token);
        once.setAttributeNS(null, "EncodingType", SecurityName.BASE64);
        once.setTextContent(Base64.getEncoder().encodeToString(nonce));
        SecurityName.CREATED.addedTo(token).setTextContent(created);
    }
}
