package gateway.policies.identity;

import gateway.config.SecretReader;
import gateway.json.ConfigNode;
import gateway.policy.Services;
import gateway.service.CallTarget;
import gateway.service.SecretReference;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Who the gateway is to a server that gives or judges tokens, as a definition says it.
record TokenClient(String id, Proof proof) {
    /// How it proves that.
    enum Method {
        BASIC,
        POST,
        PRIVATE_KEY_JWT,
        TLS
    }

    /// What it proves that by.
    sealed interface Proof {
        /// A secret that the server has too (RFC 6749 §2.3.1).
        ///
        /// @param inForm else it stands in `Authorization`
        record Shared(SecretReference secret, boolean inForm) implements Proof {}

        /// Tokens that it signs (RFC 7523 §2.2).
        ///
        /// @param audience empty: what the server is called where the client is
        record Signed(OwnKey key, Optional<String> audience) implements Proof {}

        /// The certificate of its connections (RFC 8705 §2).
        record Certificate() implements Proof {}
    }

    /// @param target on whose connections a certificate is shown
    static TokenClient read(ConfigNode node, CallTarget target) {
        node.requireObject();
        ConfigNode id = node.field("id", "its name there");
        String name = id.requiredText();
        id.extent(1, 256);
        if (name.length() > 256) id.problem("expected 1 to 256 characters, got " + name.length());
        ConfigNode methodNode = node.field(
                "method",
                "a secret in `Authorization` or in the form, a token that is signed (RFC 7523), or the certificate"
                        + " of `tls` (RFC 8705)");
        Method method = methodNode.choice(Method.BASIC);
        node.onlyWhere("secret", "method", true, "basic", "post")
                .neededWhere("secret", "method", true, "basic", "post");
        for (String each : List.of("key", "keyId", "algorithm", "audience"))
            node.onlyWhere(each, "method", false, "private-key-jwt");
        node.neededWhere("key", "method", false, "private-key-jwt");
        Proof proof = proof(node, method);
        boolean shows = target.tls().flatMap(tls -> tls.certificate()).isPresent();
        if (method == Method.TLS && !shows) methodNode.problem("expected a certificate in \"tls\"");
        node.refuseUnknownFields();
        return new TokenClient(name, proof);
    }

    private static Proof proof(ConfigNode node, Method method) {
        return switch (method) {
            case BASIC, POST ->
                new Proof.Shared(
                        SecretReader.read(node.field("secret", "its secret there, with `basic` and `post`")),
                        method == Method.POST);
            case PRIVATE_KEY_JWT ->
                new Proof.Signed(
                        OwnKey.read(node),
                        node.field("audience", "`aud` of the tokens that it signs")
                                .unlessGiven("the provider's issuer, else the URL that is asked")
                                .optionalText());
            case TLS -> new Proof.Certificate();
        };
    }

    /// With what it proves itself by at hand.
    ///
    /// @param server what the server is called, to itself: its issuer, or the URL that is asked
    /// @param pointer where the client stands in its policy
    /// @throws gateway.json.InvalidConfigException when its key cannot be used
    ClientProof ready(String server, String pointer, Services services) {
        return switch (proof) {
            case Proof.Shared(SecretReference secret, boolean inForm) ->
                inForm
                        ? new ClientProof.InForm(id, services.secret(secret))
                        : new ClientProof.InHeader(id, services.secret(secret));
            case Proof.Signed(OwnKey key, Optional<String> audience) ->
                new ClientProof.Signed(
                        id,
                        key.ready(pointer, services),
                        audience.orElse(server),
                        services.workers(),
                        services.clock());
            case Proof.Certificate() -> new ClientProof.ByConnection(id);
        };
    }

    /// `application/x-www-form-urlencoded`.
    static String encoded(Map<String, String> form) {
        var text = new StringBuilder();
        form.forEach((name, value) -> {
            if (!text.isEmpty()) text.append('&');
            text.append(encoded(name)).append('=').append(encoded(value));
        });
        return text.toString();
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
