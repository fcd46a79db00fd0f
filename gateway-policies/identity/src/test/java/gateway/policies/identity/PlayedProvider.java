package gateway.policies.identity;

import gateway.http.Body;
import gateway.http.Headers;
import gateway.policies.cryptography.KeySources;
import gateway.policies.cryptography.TokenSmith;
import gateway.policy.FakeServices;
import gateway.service.CallAnswer;
import gateway.service.CallRequest;
import gateway.service.DependencyException;
import gateway.service.SecretReference.Origin;
import gateway.service.Served;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/// A provider that a test plays: its metadata, its keys, and what its token endpoint answers.
final class PlayedProvider {
    static final String ISSUER = "https://id.example";
    private static final TokenSmith SMITH = TokenSmith.rsa(2048, "k1");

    private final FakeServices services;
    private final List<FormParameters> asked = new CopyOnWriteArrayList<>();
    private final List<String> places = new CopyOnWriteArrayList<>();
    private volatile TokenSmith smith = SMITH;
    private volatile String more = "";
    private volatile Function<FormParameters, CallAnswer> tokens = _ -> json(500, "{}");

    private PlayedProvider(FakeServices services) {
        this.services = services;
    }

    static PlayedProvider in(FakeServices services) {
        var provider = new PlayedProvider(services);
        services.secrets().put(Origin.SECRET, "shop", "shop-secret");
        services.secrets().put(Origin.SECRET, "cookies", "0123456789abcdef".repeat(4));
        services.calls().serve(ISSUER, provider::answer);
        return provider;
    }

    private CallAnswer answer(CallRequest request) {
        return switch (request.path()) {
            case "/.well-known/openid-configuration" -> json(200, """
                        {"issuer": "https://id.example", "jwks_uri": "https://id.example/keys",
                         "authorization_endpoint": "https://id.example/auth?tenant=a",
                         "token_endpoint": "https://id.example/token",
                         "end_session_endpoint": "https://id.example/end",
                         "authorization_response_iss_parameter_supported": true%s}""".formatted(more));
            case "/keys" -> json(200, "{\"keys\": [" + smith.jwk() + "]}");
            case "/token", "/token-by-certificate" -> {
                String form = new String(request.body().bytes(1 << 16), StandardCharsets.UTF_8);
                FormParameters parameters = FormParameters.parse(form).orElseThrow();
                asked.add(parameters);
                places.add(request.path());
                yield tokens.apply(parameters);
            }
            default -> json(404, "{}");
        };
    }

    static CallAnswer json(int status, String text) {
        return new CallAnswer(status, Headers.create(), Body.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    /// From now on its token endpoint does this.
    void answers(Function<FormParameters, CallAnswer> how) {
        tokens = how;
    }

    /// From now on it gives these tokens.
    void gives(String idToken, String access, String refresh, long life) {
        answers(_ -> json(200, """
                {"token_type": "Bearer", "access_token": "%s", "refresh_token": "%s", "expires_in": %d,
                 "id_token": "%s"}""".formatted(access, refresh, life, idToken)));
    }

    void goesAway() {
        answers(_ -> {
            throw new DependencyException(ISSUER, "refused", "nobody listens", null);
        });
    }

    /// What its token endpoint has been asked.
    List<FormParameters> asked() {
        return List.copyOf(asked);
    }

    /// Where it has been asked that.
    List<String> places() {
        return List.copyOf(places);
    }

    /// It signs with another key from now on, and tells no earlier one.
    void rotates() {
        smith = TokenSmith.rsa(2048, "k2");
    }

    /// Its metadata has these members too, each behind a comma.
    void says(String members) {
        more = members;
    }

    String sign(String claims) {
        return smith.token(claims.replace('\'', '"'));
    }

    String sign(String header, String claims) {
        return smith.token(header.replace('\'', '"'), claims.replace('\'', '"'));
    }

    /// An ID token of alice.
    String idToken(String nonce, String more) {
        return sign(claims(nonce) + more + '}');
    }

    /// Without the brace at its end.
    String claims(String nonce) {
        long now = services.clock().millis() / 1_000;
        return "{'iss': '" + ISSUER + "', 'sub': 'alice', 'aud': 'shop', 'nonce': '" + nonce + "', 'iat': " + now
                + ", 'exp': " + (now + 600) + ", 'sid': 'sid-1'";
    }

    /// Has what is fetched of it be served, as it is once a definition is.
    ///
    /// @param client as what the gateway asks it
    void served(Oidc oidc, ClientProof client) {
        OpenIdProvider provider = oidc.provider();
        Served keys = (Served) new KeySources(services, provider.timeout()).of(provider.origin(), Set.of(), "");
        keys.served();
        var id = new FetchedProvider.Id(provider, client);
        FetchedProvider metadata = services.shared(id, FetchedProvider.class, () -> {
            throw new AssertionError("not asked for");
        });
        metadata.served();
    }
}
