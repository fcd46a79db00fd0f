package gateway.policies.identity;

import gateway.http.HeaderText;
import gateway.json.ConfigNode;
import gateway.json.JsonSchema;
import gateway.policies.cryptography.SignatureProfile;
import gateway.policies.identity.SignatureRules.RequestTargetForm;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Reads what is asked of signatures.
final class SignatureRulesReader {
    private static final List<String> USUAL = List.of("@method", "@authority", "@path", "@query", "content-digest");
    private static final List<String> USUAL_OF_DRAFT = List.of("(request-target)", "date", "digest");
    private static final Set<String> DERIVED =
            Set.of("@method", "@target-uri", "@authority", "@scheme", "@request-target", "@path", "@query");
    private static final Set<String> DERIVED_OF_DRAFT = Set.of("(request-target)", "(created)", "(expires)");
    private static final Pattern LABEL = Pattern.compile("[a-z*][a-z0-9_.*-]{0,63}");
    private static final int MOST = 64;
    private static final int LONGEST_TAG = 256;

    private static final Pattern TAG = Pattern.compile("[ !#-\\[\\]-~]+");
    private static final String FIELD = "[!#$%&'*+.^`|~0-9a-z-]+"; // of a request, in lower case
    private static final String COMPONENTS = """
            {"if": {"properties": {"profile": {"enum": ["rfc9421", null]}}},
             "then": {"properties": {"cover": {"items": {FORM}}}}}
            """.replace("FORM", JsonSchema.pattern(component(DERIVED)));
    private static final String COMPONENTS_OF_DRAFT =
            """
            {"if": {"required": ["profile"], "properties": {"profile": {"const": "draft"}}},
             "then": {"properties": {"cover": {"items": {FORM}, "contains": {"enum": ["date", "(created)"]}}}}}
            """.replace("FORM", JsonSchema.pattern(component(DERIVED_OF_DRAFT)));

    private final ConfigNode node;
    private final SignatureProfile profile;

    private SignatureRulesReader(ConfigNode node) {
        this.node = node;
        this.profile = node.field(
                        "profile",
                        "`rfc9421`: `Signature-Input` and `Signature`; `draft`: draft-cavage, in `Authorization`")
                .choice(SignatureProfile.RFC9421);
    }

    static SignatureRules read(ConfigNode node) {
        return new SignatureRulesReader(node).read();
    }

    private static Pattern component(Set<String> derived) {
        String words = String.join("|", new TreeSet<>(derived));
        return Pattern.compile(FIELD + '|' + words.replace("(", "\\(").replace(")", "\\)"));
    }

    private SignatureRules read() {
        boolean draft = profile == SignatureProfile.DRAFT;
        var label = node.field("label", "of the signature that counts, when there are several")
                .unlessGiven("any");
        var tag = node.field("tag", "of the signature that counts, when there are several")
                .unlessGiven("any");
        var maxAge = node.field("maxAge", "how long a signature is good from its `created` on");
        var skew = node.field("clockSkew", "by how much clocks may differ; in the draft all that a date may be off")
                .unlessGiven("`30s`; in the draft `5m`");
        var dateHeader = node.field("dateHeader", "in the draft: stands for `Date` where it is sent")
                .form("header name")
                .unlessGiven("none");
        var target = node.field("requestTarget", "in the draft: what of the target is signed");
        for (String each : List.of("label", "tag", "maxAge")) node.onlyWhere(each, "profile", true, "rfc9421");
        for (String each : List.of("dateHeader", "requestTarget")) node.onlyWhere(each, "profile", false, "draft");
        node.obeys(COMPONENTS).obeys(COMPONENTS_OF_DRAFT);
        if (draft) refuse(label, tag, maxAge);
        else refuse(dateHeader, target);
        return new SignatureRules(
                profile,
                cover(),
                label.isPresent() ? Optional.of(label(label)) : Optional.empty(),
                tag.isPresent() ? Optional.of(tag(tag)) : Optional.empty(),
                maxAge.duration(Duration.ofSeconds(1), Duration.ofHours(1), Duration.ofMinutes(1)),
                skew.duration(
                        Duration.ZERO, Duration.ofMinutes(5), draft ? Duration.ofMinutes(5) : Duration.ofSeconds(30)),
                node.field("once", "take each signature once: by its `nonce`, which has to be there, or by itself")
                        .bool(false),
                dateHeader.isPresent() ? Optional.of(header(dateHeader)) : Optional.empty(),
                target.choice(RequestTargetForm.PATH_AND_QUERY));
    }

    private void refuse(ConfigNode... fields) {
        for (ConfigNode each : fields) {
            if (each.isPresent()) each.problem("expected nothing with the profile " + ConfigNode.word(profile));
        }
    }

    private List<String> cover() {
        var field = node.field("cover", "what has to be signed; digests where there is a body")
                .unlessGiven("`@method`, `@authority`, `@path`, `@query`, `content-digest`;"
                        + " in the draft `(request-target)`, `date`, `digest`");
        List<String> cover = field.list(this::component);
        boolean draft = profile == SignatureProfile.DRAFT;
        if (!field.isPresent()) return draft ? USUAL_OF_DRAFT : USUAL;
        boolean isList = field.json().filter(json -> json.isArray()).isPresent();
        field.extent(1, MOST).unique();
        if (isList && (cover.isEmpty() || cover.size() > MOST))
            field.problem("expected 1 to " + MOST + " components, got " + cover.size());
        if (new HashSet<>(cover).size() < cover.size())
            field.problem("expected each component once, got " + String.join(", ", cover));
        if (draft && isList && !cover.contains("date") && !cover.contains("(created)")) {
            field.problem("expected date or (created) among them, since an old signature is good for ever otherwise,"
                    + " got " + String.join(", ", cover));
        }
        return cover;
    }

    private String component(ConfigNode each) {
        String name = each.requiredText();
        boolean lower = name.equals(name.toLowerCase(Locale.ROOT));
        Set<String> derived = profile == SignatureProfile.DRAFT ? DERIVED_OF_DRAFT : DERIVED;
        boolean field = HeaderText.isRequestName(name) && lower;
        if (!name.isEmpty() && !field && !derived.contains(name)) {
            each.problem("expected a header name in lower case or one of "
                    + String.join(", ", derived.stream().sorted().toList()) + ", got \"" + name + '"');
        }
        return name;
    }

    private static String label(ConfigNode field) {
        String text = field.like(LABEL).requiredText();
        if (!text.isEmpty() && !LABEL.matcher(text).matches()) {
            field.problem("expected 1 to 64 small letters, digits, '_', '-', '.' or '*', got \"" + text + '"');
        }
        return text;
    }

    private static String tag(ConfigNode field) {
        String text = field.like(TAG).requiredText();
        boolean plain = text.chars().allMatch(c -> c >= ' ' && c <= '~' && c != '"' && c != '\\');
        field.extent(1, LONGEST_TAG);
        if (text.length() > LONGEST_TAG || !plain) {
            field.expected("1 to " + LONGEST_TAG + " characters of ASCII without quotes and backslashes");
        }
        return text;
    }

    private static String header(ConfigNode field) {
        String name = field.like(HeaderText.REQUEST_NAME_FORM).requiredText();
        if (!name.isEmpty() && !HeaderText.isRequestName(name)) field.problem(HeaderText.requestNameFlaw(name));
        return name.toLowerCase(Locale.ROOT);
    }
}
