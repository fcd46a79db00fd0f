package gateway.policies.message.jose;

import com.nimbusds.jose.jwk.KeyUse;
import gateway.config.SecretReader;
import gateway.json.ConfigNode;
import gateway.policies.cryptography.SigningAlgorithm;
import gateway.service.SecretReference;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Signs with a key of ours. What is not there is not signed.
///
/// @param detached of that form
/// @param encoded whether in that form the content stands in what is signed as base64url (RFC 7797)
/// @param keyId in place of the key's own; empty text: that
/// @param type its `typ`; empty text: `JWT` with claims, else none
record SignStep(
        JosePart part,
        JoseForm form,
        DetachedForm detached,
        boolean encoded,
        SecretReference key,
        SigningAlgorithm algorithm,
        String keyId,
        String type,
        Optional<AddedClaims> claims)
        implements JoseStep {
    private static final Pattern KEY_ID = Pattern.compile("[ !#-\\[\\]-~]{1,256}");
    private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9!#$&^_.+/-]{1,128}");

    static SignStep read(ConfigNode node, boolean answers) {
        node.requireObject();
        ConfigNode part = node.field("part", "of the message that is signed");
        JosePart read = JosePart.read(part, answers);
        JoseForm form = node.field("form", "how it is written").choice(JoseForm.COMPACT);
        if (form == JoseForm.DETACHED && !(read instanceof JosePart.Body)) {
            part.problem("expected nothing, since a detached signature is one of the body");
        }
        node.onlyWhere("part", "form", true, "compact", "json");
        DetachedForm detached = DetachedForm.read(node, form);
        ConfigNode b64 = node.field("b64", "of the form `detached`: sign the body in base64url rather than as it is");
        node.onlyWhere("claims", "form", true, "compact", "json").obeys(DetachedForm.onlyTrue("b64"));
        boolean encoded = b64.bool(false);
        if (encoded && form != JoseForm.DETACHED) b64.problem("expected nothing, since the form is not \"detached\"");
        SecretReference key = SecretReader.read(
                node.field("key", "of ours: a JWK, a set of them, a private key in PEM (PKCS #8) or a secret"));
        SigningAlgorithm algorithm = SigningAlgorithm.read(node.field("algorithm", "by which it is signed"))
                .orElse(SigningAlgorithm.ES256);
        String keyId = like(node.field("keyId", "its `kid`").unlessGiven("the key's own"), KEY_ID);
        String type = like(node.field("type", "its `typ`").unlessGiven("`JWT` with `claims`, else none"), TYPE);
        ConfigNode claims =
                node.field("claims", "said in it, beside what stands there").unlessGiven("none");
        Optional<AddedClaims> added = claims.isPresent() ? Optional.of(AddedClaims.read(claims)) : Optional.empty();
        if (added.isPresent() && form == JoseForm.DETACHED) {
            claims.problem("expected nothing, since in the form \"detached\" the body stays as it is");
        }
        var step = new SignStep(read, form, detached, encoded, key, algorithm, keyId, type, added);
        node.refuseUnknownFields();
        return step;
    }

    private static String like(ConfigNode node, Pattern pattern) {
        if (!node.like(pattern).isPresent()) return "";
        String text = node.requiredText();
        node.like(pattern);
        if (!text.isEmpty() && !pattern.matcher(text).matches()) node.expected(pattern.pattern());
        return text;
    }

    @Override
    public boolean inBody() {
        return form == JoseForm.DETACHED || part.inBody();
    }

    @Override
    public boolean changesBody() {
        return form != JoseForm.DETACHED && part.inBody();
    }

    @Override
    public String name() {
        return "sign";
    }

    @Override
    public JoseAction compile(JosePlace place) {
        List<JoseKey> ours = JoseKeys.ofSecret(place.secret(key).reveal(), KeyUse.SIGNATURE);
        SealingKey sealing = SealingKey.of(ours, algorithm)
                .orElseThrow(() -> place.invalid("key", "expected a private key for " + algorithm.word()));
        return new Signing(this, sealing, place);
    }
}
