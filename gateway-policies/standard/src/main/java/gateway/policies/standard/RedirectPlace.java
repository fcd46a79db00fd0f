package gateway.policies.standard;

import gateway.http.Exchange;
import gateway.json.ConfigNode;
import gateway.policy.Template;
import gateway.policy.TemplatePlace;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Where a redirect leads. Its origin is the definition's or the request's own, never made of what clients say besides.
///
/// @param scheme `http` or `https`; empty text: the request's, or none where there is no host
/// @param host with its port; empty: the request's own
/// @param ownHost whether the host is the one that the client asked for
record RedirectPlace(String scheme, String host, boolean ownHost, Template path, Optional<Template> query) {
    private static final String HOST_ASKED = "{request.host}";
    private static final Pattern URL = Pattern.compile(
            "(https?|\\{request\\.scheme\\})://([^/?#{}]+|\\{request\\.host\\}(?::[0-9]{1,5})?)((?:/[^?]*)?)(\\?.*)?");
    private static final Pattern PATH = Pattern.compile("((?:/|\\{)[^?]*)(\\?.*)?");
    private static final Pattern FORM = Pattern.compile(URL.pattern() + "|(/|\\{request\\.path\\})[^?]*(\\?.*)?");
    private static final String REQUEST_PATH = "{request.path}";

    static RedirectPlace read(ConfigNode node, Set<String> hosts) {
        String text = node.like(FORM).requiredText();
        Matcher url = URL.matcher(text);
        if (url.matches()) {
            String host = url.group(2);
            boolean own = host.startsWith(HOST_ASKED);
            if (!own && !hosts.contains(host.toLowerCase(Locale.ROOT)))
                node.problem("expected a host that \"hosts\" lists, got \"" + host + "\"");
            String scheme = url.group(1).startsWith("{") ? "" : url.group(1);
            String shown = own ? host.substring(HOST_ASKED.length()) : host.toLowerCase(Locale.ROOT);
            String path = url.group(3).isEmpty() ? "/" : url.group(3);
            return new RedirectPlace(scheme, shown, own, path(path, node), query(url.group(4), node));
        }
        Matcher path = PATH.matcher(text);
        if (path.matches() && (text.startsWith("/") || text.startsWith(REQUEST_PATH)))
            return new RedirectPlace("", "", false, path(path.group(1), node), query(path.group(2), node));
        if (!text.isEmpty())
            node.problem("expected a path, or an URL such as \"https://{request.host}/new{request.path}\", got \""
                    + text + "\"");
        return new RedirectPlace("", "", false, path("/", node), Optional.empty());
    }

    private static Template path(String text, ConfigNode node) {
        return Template.read(text, node, TemplatePlace.PATH);
    }

    private static Optional<Template> query(@Nullable String text, ConfigNode node) {
        if (text == null) return Optional.empty();
        return Optional.of(Template.read(text.substring(1), node, TemplatePlace.QUERY));
    }

    /// Such as `https://api.example.com`; empty text for the origin that the client has asked.
    String origin(Exchange exchange) {
        if (!ownHost && host.isEmpty()) return "";
        String name = ownHost ? exchange.host() + host : host;
        return (scheme.isEmpty() ? exchange.scheme() : scheme) + "://" + name;
    }
}
