package gateway.policies.message.wss;

import gateway.http.Exchange;
import gateway.http.Secret;
import gateway.policies.message.xml.XmlTrees;
import gateway.service.ShortTermName;
import gateway.service.ShortTermUse;
import gateway.service.ShortTermValue;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.w3c.dom.Element;

/// Asks a message for a user name token (Username Token Profile 1.1).
///
/// @param decoy looked at in place of an unknown user's password, so that the time does not tell which names exist
record UserNameCheck(UserNameStep step, Map<String, Known> users, Secret decoy, SecurityPlace place)
        implements SecurityAction {
    private static final int LONGEST_NONCE = 256;
    private static final SecurityName NAME = SecurityName.wsse("Username");
    private static final SecurityName PASSWORD = SecurityName.wsse("Password");
    private static final SecurityName NONCE = SecurityName.wsse("Nonce");

    /// By their whole names: another reader may look at the local ones alone.
    private static final List<SecurityName> MEMBERS = List.of(NAME, PASSWORD, NONCE, SecurityName.CREATED);

    UserNameCheck {
        users = Map.copyOf(users);
    }

    /// A user, and the password.
    record Known(SoapCaller caller, Secret password) {}

    static UserNameCheck compile(UserNameStep step, SecurityPlace place) {
        var users = new HashMap<String, Known>();
        for (int i = 0; i < step.users().size(); i++) {
            UserNameStep.User each = step.users().get(i);
            Secret password = place.read("users/" + i + "/password", services -> services.secret(each.password()));
            var caller = new SoapCaller("wss:" + each.name(), each.name(), each.tags());
            users.put(each.name(), new Known(caller, password));
        }
        return new UserNameCheck(step, users, new Secret("of nobody"), place);
    }

    @Override
    public void apply(SoapMessage message, Exchange exchange) {
        Element token = SecurityName.USERNAME_TOKEN.onlyIn(message.requiredSecurity(), SecurityFlaw.MISSING);
        for (Element each : XmlTrees.children(token)) {
            boolean known = MEMBERS.stream().anyMatch(member -> member.is(each));
            if (!known) throw new BadSecurityException(SecurityFlaw.STRUCTURE);
        }
        String name = SecurityName.text(NAME.onlyIn(token, SecurityFlaw.USER));
        Element shown = PASSWORD.onlyIn(token, SecurityFlaw.USER);
        PasswordForm form = form(shown);
        if (form == PasswordForm.TEXT && !exchange.scheme().equals("https") && !step.allowPlaintext()) {
            throw new BadSecurityException(SecurityFlaw.IN_THE_CLEAR);
        }
        Optional<Element> nonce = NONCE.in(token);
        Optional<Element> created = SecurityName.CREATED.in(token);
        boolean bare = nonce.isEmpty() || created.isEmpty();
        if (form == PasswordForm.DIGEST && bare) throw new BadSecurityException(SecurityFlaw.USER);
        Optional<Known> user = Optional.ofNullable(users.get(name));
        String password = user.map(Known::password).orElse(decoy).reveal();
        String expected = form == PasswordForm.TEXT
                ? password
                : PasswordForm.digest(nonce(nonce.orElseThrow()), SecurityName.text(created.orElseThrow()), password);
        boolean right =
                sameHash(expected, form == PasswordForm.TEXT ? shown.getTextContent() : SecurityName.text(shown));
        if (!right || user.isEmpty()) throw new BadSecurityException(SecurityFlaw.USER);
        if (created.isPresent()) step.times().check(MessageTimes.time(created.get()), now());
        if (!bare) requireFirst(nonce(nonce.orElseThrow()), MessageTimes.time(created.orElseThrow()));
        exchange.authenticated(user.get().caller());
    }

    private Instant now() {
        return place.services().clock().instant();
    }

    private PasswordForm form(Element shown) {
        String type = shown.getAttributeNS(null, "Type");
        for (PasswordForm each : step.forms()) if (each.type().equals(type)) return each;
        if (type.isEmpty() && step.forms().contains(PasswordForm.TEXT)) return PasswordForm.TEXT; // §3.1
        throw new BadSecurityException(SecurityFlaw.USER);
    }

    private static byte[] nonce(Element element) {
        String encoding = element.getAttributeNS(null, "EncodingType");
        String text = SecurityName.text(element);
        boolean other = !encoding.isEmpty() && !encoding.equals(SecurityName.BASE64);
        if (other || text.isEmpty() || text.length() > LONGEST_NONCE) {
            throw new BadSecurityException(SecurityFlaw.USER);
        }
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new BadSecurityException(SecurityFlaw.USER); // no Base64
        }
    }

    /// A token is taken once, as long as it is good at all.
    private void requireFirst(byte[] nonce, Instant created) {
        Duration left = Duration.between(now(), step.times().end(created));
        String once = Base64.getEncoder().encodeToString(nonce) + ' ' + created;
        var name = ShortTermName.of(ShortTermUse.REPLAY, place.counter(), once);
        Optional<ShortTermValue> first = ShortTermValue.ofOnce(
                        left, step.times().clockSkew())
                .filter(taken -> place.services().shortTerm().putIfAbsent(name, taken));
        if (first.isEmpty()) throw new BadSecurityException(SecurityFlaw.USED);
    }

    /// By their digests, so that not even the length of what was expected shows.
    private static boolean sameHash(String expected, String shown) {
        return MessageDigest.isEqual(sha256(expected), sha256(shown));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
