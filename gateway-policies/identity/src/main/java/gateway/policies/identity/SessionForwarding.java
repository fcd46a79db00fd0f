package gateway.policies.identity;

import gateway.http.HeaderField;
import gateway.http.Headers;
import gateway.http.Secret;
import gateway.json.ConfigNode;
import gateway.policies.standard.WritableHeader;
import gateway.policy.TemplatePlace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// What of a session the upstream is told, by which headers. Whatever clients send by these names it never sees.
///
/// @param accessToken the header that carries it
/// @param claims headers, and the claim of each
record SessionForwarding(Optional<String> accessToken, Map<String, ClaimPath> claims) {
    private static final int MOST = 32;

    SessionForwarding {
        claims = Map.copyOf(claims);
    }

    static SessionForwarding read(ConfigNode node) {
        node.expectObject();
        var token = node.field("accessToken", "header that carries it: `Authorization` as `Bearer`, others as it is")
                .form("header name")
                .unlessGiven("none");
        var claims = node.field("claims", "header, and the claim that it carries");
        var found = new LinkedHashMap<>(claims.map(each -> ClaimPath.read(each, each.requiredText())));
        for (String name : found.keySet()) WritableHeader.checkName(name, claims.field(name));
        claims.extent(0, MOST);
        if (found.size() > MOST) claims.problem("expected at most " + MOST + ", got " + found.size());
        Optional<String> header = token.isPresent() ? Optional.of(WritableHeader.readName(token)) : Optional.empty();
        node.refuseUnknownFields();
        return new SessionForwarding(header, found);
    }

    /// The headers for requests of a session.
    List<HeaderField> headers(Session session) {
        var headers = new ArrayList<HeaderField>();
        claims.forEach((name, claim) -> claim.text(session.claims())
                .ifPresent(text -> headers.add(new HeaderField(name, TemplatePlace.HEADER.escaped(text)))));
        if (accessToken.isPresent() && session.accessToken().isPresent()) {
            headers.add(shown(accessToken.get(), session.accessToken().get()));
        }
        return headers;
    }

    private static HeaderField shown(String name, Secret token) {
        boolean bearer = name.equalsIgnoreCase("Authorization");
        return new HeaderField(name, bearer ? "Bearer " + token.reveal() : token.reveal());
    }

    /// Takes out what only the gateway may say.
    void strip(Headers headers) {
        stripAllBut("", headers);
    }

    /// The same but for the header that holds another policy's credential.
    ///
    /// @param shown as [gateway.policy.AuthenticationPolicy#shownAt] has it
    void stripAllBut(String shown, Headers headers) {
        accessToken.ifPresent(name -> strip(name, shown, headers));
        for (String name : claims.keySet()) strip(name, shown, headers);
    }

    private static void strip(String name, String shown, Headers headers) {
        if (!shown.equals("header:" + name.toLowerCase(Locale.ROOT))) headers.remove(name);
    }
}
