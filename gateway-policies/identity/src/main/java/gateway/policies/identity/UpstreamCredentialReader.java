package gateway.policies.identity;

import gateway.config.CallTargetReader;
import gateway.config.SecretReader;
import gateway.http.HeaderText;
import gateway.json.ConfigNode;
import gateway.policies.cryptography.KeyUrls;
import gateway.policies.standard.WritableHeader;
import gateway.service.CallTarget;
import gateway.service.SecretReference;
import gateway.service.SecretReference.Origin;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Reads which credential an upstream is shown: one of several kinds.
final class UpstreamCredentialReader {
    private static final URI NOWHERE = URI.create("https://invalid");
    private static final Pattern USER = Pattern.compile("[^:\\x00-\\x1f\\x7f]{1,256}");
    private static final Pattern SCOPE = Pattern.compile("[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,256}"); // RFC 6749 §3.3
    private static final Pattern PARAMETER = Pattern.compile("[A-Za-z0-9._~-]{1,128}");

    private UpstreamCredentialReader() {}

    private enum Grant {
        CLIENT_CREDENTIALS("client_credentials"),
        PASSWORD("password"),
        TOKEN_EXCHANGE("urn:ietf:params:oauth:grant-type:token-exchange");

        private final String type;

        Grant(String type) {
            this.type = type;
        }
    }

    /// What the token of a caller is (RFC 8693 §3).
    private enum SubjectToken {
        ACCESS_TOKEN,
        ID_TOKEN,
        JWT
    }

    static UpstreamCredential read(ConfigNode node) {
        var found = new ArrayList<UpstreamCredential>();
        ConfigNode basic = node.field("basic", "user and password; one of these must stand here");
        if (basic.isPresent()) found.add(basic(basic));
        ConfigNode apiKey = node.field("apiKey", "a text in a header or in the query");
        if (apiKey.isPresent()) found.add(apiKey(apiKey));
        ConfigNode bearer = node.field("bearer", "a bearer token that does not change by itself");
        if (bearer.isPresent()) found.add(bearer(bearer));
        ConfigNode oauth2 = node.field("oauth2", "a token that an OAuth 2.0 server gives the gateway");
        if (oauth2.isPresent()) found.add(oauth2(oauth2));
        ConfigNode jwt = node.field("jwt", "a token about the caller that the gateway signs itself");
        if (jwt.isPresent()) found.add(OwnTokenReader.read(jwt));
        ConfigNode aws = node.field("aws", "Signature Version 4 of AWS");
        if (aws.isPresent()) found.add(AwsAuthReader.read(aws));
        ConfigNode signature = node.field("signature", "HTTP message signatures (RFC 9421)");
        if (signature.isPresent()) found.add(RequestSignatureReader.read(signature));
        node.one("basic", "apiKey", "bearer", "oauth2", "jwt", "aws", "signature");
        if (found.size() != 1) {
            node.problem(
                    "expected one of \"basic\", \"apiKey\", \"bearer\", \"oauth2\", \"jwt\", \"aws\" and \"signature\", got "
                            + found.size());
        }
        return found.isEmpty()
                ? new UpstreamCredential.Bearer(new SecretReference(Origin.SECRET, ""))
                : found.getFirst();
    }

    private static UpstreamCredential basic(ConfigNode node) {
        node.expectObject();
        String user =
                matching(node.field("user", "sent to the upstream").like(USER), USER, "1 to 256 characters, no \":\"");
        SecretReference password = SecretReader.read(node.field("password", "of that user"));
        node.refuseUnknownFields();
        return new UpstreamCredential.Basic(user, password);
    }

    private static UpstreamCredential apiKey(ConfigNode node) {
        node.expectObject();
        ConfigNode header = node.field("header", "that holds it; this or `query`")
                .like(HeaderText.TOKEN_FORM)
                .form("header name");
        ConfigNode query =
                node.field("query", "parameter that holds it; this or `header`").like(PARAMETER);
        SecretReference value = SecretReader.read(node.field("value", "what is shown"));
        node.refuseUnknownFields();
        node.one("header", "query");
        if (header.isPresent() == query.isPresent())
            node.problem("expected either \"header\" or \"query\", got " + (query.isPresent() ? "both" : "neither"));
        if (!header.isPresent()) {
            return new UpstreamCredential.QueryKey(
                    matching(query, PARAMETER, "1 to 128 letters, digits, '.', '_', '~' or '-'"), value);
        }
        return new UpstreamCredential.HeaderKey(WritableHeader.readName(header), value);
    }

    private static UpstreamCredential bearer(ConfigNode node) {
        node.expectObject();
        SecretReference token = SecretReader.read(node.field("token", "shown as `Authorization: Bearer`"));
        node.refuseUnknownFields();
        return new UpstreamCredential.Bearer(token);
    }

    private static UpstreamCredential oauth2(ConfigNode node) {
        node.expectObject();
        boolean plaintext = node.field("allowPlaintext", "let `tokenUrl` be `http://` to other machines than this one")
                .bool(false);
        URI url = KeyUrls.read(
                        node.field("tokenUrl", "the server's token endpoint").form("URL"), plaintext)
                .orElse(NOWHERE);
        KeyUrls.describe(node, "tokenUrl");
        CallTarget target = CallTargetReader.of(
                KeyUrls.origin(url), node.field("tls", "how the server is spoken to, as in an API's `upstream`"));
        var form = new LinkedHashMap<String, String>();
        Grant grant = node.field("grant", "by which the token is asked for").choice(Grant.CLIENT_CREDENTIALS);
        form.put("grant_type", grant.type);
        subject(
                node.field("subjectToken", "with `grant` `token-exchange`: what the token is that callers show"),
                grant,
                form);
        Optional<SecretReference> password = password(node, grant, form);
        node.onlyWhere("subjectToken", "grant", false, "token-exchange")
                .onlyWhere("user", "grant", false, "password")
                .neededWhere("user", "grant", false, "password")
                .onlyWhere("password", "grant", false, "password")
                .neededWhere("password", "grant", false, "password");
        TokenClient client = TokenClient.read(node.field("client", "who the gateway is to that server"), target);
        scopes(node, form);
        optional(
                node.field("audience", "the server that the token is for, where the token server asks"),
                form,
                "audience");
        optional(node.field("resource", "URI of what the token is for (RFC 8707)"), form, "resource");
        Duration renewBefore = node.field("renewBefore", "so long before its end a new one is fetched")
                .duration(Duration.ofSeconds(1), Duration.ofHours(1), Duration.ofSeconds(30));
        Duration timeout = node.field("timeout", "for one call of the token endpoint")
                .duration(Duration.ofMillis(10), Duration.ofSeconds(30), Duration.ofSeconds(2));
        node.refuseUnknownFields();
        var terms =
                new TokenTerms(target, KeyUrls.pathOf(url), client, Map.copyOf(form), password, renewBefore, timeout);
        return grant == Grant.TOKEN_EXCHANGE
                ? new UpstreamCredential.Exchanged(terms)
                : new UpstreamCredential.OAuth2(terms);
    }

    private static void subject(ConfigNode node, Grant grant, Map<String, String> form) {
        SubjectToken type = node.choice(SubjectToken.ACCESS_TOKEN);
        if (grant == Grant.TOKEN_EXCHANGE) {
            form.put(
                    "subject_token_type",
                    "urn:ietf:params:oauth:token-type:" + ConfigNode.word(type).replace('-', '_'));
        } else if (node.isPresent()) {
            node.problem("expected only with \"grant\": \"token-exchange\"");
        }
    }

    /// For servers that know nothing better: the gateway as a user (RFC 6749 §4.3).
    private static Optional<SecretReference> password(ConfigNode node, Grant grant, Map<String, String> form) {
        ConfigNode user = node.field("user", "with `grant` `password`").like(USER);
        ConfigNode password = node.field("password", "with `grant` `password`");
        if (grant != Grant.PASSWORD) {
            if (user.isPresent()) user.problem("expected only with \"grant\": \"password\"");
            if (password.isPresent()) password.problem("expected only with \"grant\": \"password\"");
            return Optional.empty();
        }
        form.put("username", matching(user, USER, "1 to 256 characters, no \":\""));
        return Optional.of(SecretReader.read(password));
    }

    private static void scopes(ConfigNode node, Map<String, String> form) {
        List<String> scopes = node.field("scopes", "that the token is to have")
                .list(each -> matching(each.like(SCOPE), SCOPE, "a scope without spaces"));
        node.field("scopes").extent(0, 100);
        if (scopes.size() > 100) node.field("scopes").problem("expected at most 100 scopes, got " + scopes.size());
        if (!scopes.isEmpty()) form.put("scope", String.join(" ", new TreeSet<>(scopes)));
    }

    private static void optional(ConfigNode node, Map<String, String> form, String name) {
        node.optionalText().filter(text -> !text.isEmpty()).ifPresent(text -> form.put(name, text));
    }

    private static String matching(ConfigNode node, Pattern pattern, String expected) {
        String text = node.requiredText();
        node.like(pattern);
        if (!text.isEmpty() && !pattern.matcher(text).matches()) node.problem("expected " + expected);
        return text;
    }
}
