package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.config.SecretReader;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.CredentialFields;
import gateway.policy.Dependency;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.service.SecretReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Lets only webhooks pass that their sender has signed with a secret that both have.
///
/// @param prefix of the fields of Standard Webhooks
/// @param secrets of which one has signed
/// @param maxAge how long a signature is good from its time on
/// @param once whether each is taken one time
/// @param name of the caller
/// @param maxBody most bytes of a body
public record WebhookVerify(
        WebhookForm form,
        String prefix,
        List<SecretReference> secrets,
        Duration maxAge,
        Duration clockSkew,
        boolean once,
        String name,
        List<String> tags,
        long maxBody)
        implements PolicySpec {
    private static final int FEWEST_BYTES = 16;

    public WebhookVerify {
        secrets = List.copyOf(secrets);
        tags = List.copyOf(tags);
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        var keys = new ArrayList<byte[]>();
        for (int i = 0; i < secrets.size(); i++) {
            Optional<byte[]> key = form.key(services.secret(secrets.get(i)).reveal());
            if (key.isEmpty() || key.get().length < FEWEST_BYTES) {
                String base64 = form == WebhookForm.STANDARD ? " in Base64, after whsec_ or not" : "";
                throw new InvalidConfigException(
                        "/secrets/" + i, "expected a secret of at least " + FEWEST_BYTES + " bytes" + base64);
            }
            keys.add(key.get());
        }
        return new WebhookAuthentication(
                this,
                keys,
                services.shortTerm(),
                services.workers(),
                services.clock(),
                placement.counter(),
                new WebhookSender(placement.api(), name, tags),
                "Webhook realm=\"" + placement.api() + '"');
    }

    @Override
    public BodyUse bodyUse() {
        String field = form.field(prefix);
        return BodyUse.ofRequests(BodyAccess.held(maxBody).only((fields, _) -> fields.contains(field)));
    }

    @Override
    public Set<Dependency> dependencies() {
        return once ? Set.of(Dependency.Store.SHORT_TERM) : Set.of();
    }

    @Override
    public Optional<String> sideEffect() {
        return once ? Optional.of("it takes each webhook once") : Optional.empty();
    }

    @Override
    public CredentialFields credentials() {
        return new CredentialFields(Set.of(form.field(prefix)), Set.of());
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        private static final int MOST_SECRETS = 8;
        private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9-]{1,64}");
        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._~-]{1,64}");

        @Override
        public String name() {
            return "webhook-verify";
        }

        @Override
        public Stage stage() {
            return Stage.AUTHENTICATE;
        }

        /// In AUTHORIZE it is known who calls, so that larger bodies are held.
        @Override
        public List<Stage> stages() {
            return List.of(Stage.AUTHENTICATE, Stage.AUTHORIZE);
        }

        @Override
        public PolicySpec read(ConfigNode node) {
            WebhookForm form = node.field("form", "whose way of signing: Standard Webhooks, GitHub's, Stripe's")
                    .choice(WebhookForm.STANDARD);
            ConfigNode prefix = node.field("prefix", "of the fields of Standard Webhooks, such as `svix`")
                    .like(PREFIX)
                    .unlessGiven("`webhook`");
            ConfigNode maxAge = node.field("maxAge", "how long a signature is good from its time on");
            node.onlyWhere("prefix", "form", true, "standard").onlyWhere("maxAge", "form", true, "standard", "stripe");
            if (form != WebhookForm.STANDARD) refuse(prefix, "of Standard Webhooks");
            if (form == WebhookForm.GITHUB) refuse(maxAge, "of forms that tell the time");
            ConfigNode list = node.field("secrets", "1 to 8 that the sender has too, of which one has signed");
            List<SecretReference> secrets = list.list(SecretReader::read);
            list.extent(1, MOST_SECRETS);
            if (secrets.isEmpty() || secrets.size() > MOST_SECRETS) {
                list.problem("expected 1 to " + MOST_SECRETS + " secrets, got " + secrets.size());
            }
            ConfigNode name = node.field("name", "of the caller").like(NAME).unlessGiven("the form");
            return new WebhookVerify(
                    form,
                    matching(prefix, PREFIX, "webhook"),
                    secrets,
                    maxAge.duration(Duration.ofSeconds(1), Duration.ofHours(1), Duration.ofMinutes(5)),
                    node.field("clockSkew", "by how much the sender's clock may be ahead")
                            .duration(Duration.ZERO, Duration.ofMinutes(5), Duration.ofSeconds(30)),
                    node.field("once", "take each one time").bool(false),
                    matching(name, NAME, ConfigNode.word(form)),
                    node.field("tags", "of the caller, for `when`, `authorize` and the traffic log")
                            .list(ConfigNode::requiredText),
                    node.field("maxBody", "most bytes of a body; in the stage AUTHENTICATE 64KiB at most")
                            .size(1024, 16 << 20, 64 << 10));
        }

        private static void refuse(ConfigNode field, String of) {
            if (field.isPresent()) field.problem("expected nothing, since it is " + of);
        }

        private static String matching(ConfigNode field, Pattern pattern, String otherwise) {
            if (!field.isPresent()) return otherwise;
            String text = field.requiredText();
            field.like(pattern);
            if (!text.isEmpty() && !pattern.matcher(text).matches()) field.expected(pattern.pattern());
            return text;
        }
    }
}
