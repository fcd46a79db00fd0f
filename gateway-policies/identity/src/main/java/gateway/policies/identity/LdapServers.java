package gateway.policies.identity;

import gateway.json.ConfigNode;
import gateway.json.JsonSchema;
import gateway.net.UrlForm;
import gateway.policies.cryptography.KeyUrls;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The servers of one directory, and how they are spoken to.
///
/// @param urls in order: the next one when one fails
/// @param startTls whether connections to `ldap://` are made secret before anything is said
/// @param ca PEM of the authorities that are trusted; empty: the platform's
/// @param timeout of one answer
record LdapServers(List<URI> urls, boolean startTls, Optional<String> ca, Duration connectTimeout, Duration timeout) {
    private static final int MOST = 8;
    private static final String SECRET = """
            {"if": {"properties": {"startTls": {"not": {"const": true}}}},
             "then": {"properties": {"servers": {"items": {FORM}}}}}
            """.replace("FORM", JsonSchema.pattern(UrlForm.SECRET));

    LdapServers {
        urls = List.copyOf(urls);
    }

    static LdapServers read(ConfigNode node) {
        boolean startTls = node.field("startTls", "turn connections to `ldap://` into TLS before anything is said")
                .bool(false);
        var servers = node.field("servers", "URLs, at most 8: the next one when one fails");
        List<URI> urls = servers.list(each -> url(each, startTls));
        servers.extent(1, MOST);
        node.obeys(SECRET);
        if (urls.isEmpty() || urls.size() > MOST)
            servers.problem("expected 1 to " + MOST + " URLs, got " + urls.size());
        return new LdapServers(
                urls,
                startTls,
                node.field("ca", "PEM of the authorities that are trusted")
                        .unlessGiven("the platform's")
                        .optionalText(),
                node.field("connectTimeout", "until a connection stands")
                        .duration(Duration.ofMillis(10), Duration.ofSeconds(10), Duration.ofSeconds(1)),
                node.field("timeout", "for one answer of a server")
                        .duration(Duration.ofMillis(10), Duration.ofSeconds(30), Duration.ofSeconds(2)));
    }

    /// Host and port, as messages name it.
    String name() {
        return urls.getFirst().getScheme() + "://" + urls.getFirst().getRawAuthority();
    }

    private static URI url(ConfigNode node, boolean startTls) {
        String text = node.like(UrlForm.DIRECTORY).requiredText();
        try {
            var url = new URI(text);
            boolean secret = "ldaps".equals(url.getScheme());
            boolean bare = url.getRawUserInfo() == null && url.getRawPath().isEmpty() && url.getRawQuery() == null;
            if ((secret || "ldap".equals(url.getScheme())) && url.getHost() != null && bare) {
                if (!secret && !startTls && !KeyUrls.isLoopback(url)) {
                    node.problem("expected ldaps://, since \"startTls\" is not true, got ldap://");
                }
                return url;
            }
        } catch (URISyntaxException e) {
            // told below, as what is no such URL for another reason
        }
        node.problem("expected a URL such as \"ldaps://ldap.example.com\"");
        return URI.create("ldaps://localhost");
    }
}
