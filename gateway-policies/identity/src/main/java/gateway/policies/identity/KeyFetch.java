package gateway.policies.identity;

import gateway.http.FailureReason;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.service.CallAnswer;
import gateway.service.CallBounds;
import gateway.service.CallRequest;
import gateway.service.CallTarget;
import gateway.service.Calls;
import gateway.service.DependencyException;
import gateway.service.ServerCalls;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Fetches a key set, and before it the metadata that says where it lies: of OpenID (OpenID Connect Discovery 1.0
/// §4), else of OAuth (RFC 8414 §3).
final class KeyFetch {
    private static final int MOST_BYTES = 1 << 20;

    private final KeyOrigin.Server origin;
    private final Calls calls;
    private final ServerCalls server;
    private final Duration timeout;

    /// @param server of the origin's target
    /// @param timeout for all of a fetch
    KeyFetch(KeyOrigin.Server origin, Calls calls, ServerCalls server, Duration timeout) {
        this.origin = origin;
        this.calls = calls;
        this.server = server;
        this.timeout = timeout;
    }

    /// @throws DependencyException when they cannot be had
    KeySet keys() {
        long end = System.nanoTime() + timeout.toNanos();
        if (!origin.discovered()) return keysAt(server, origin.url(), end);
        URI place = placeOfKeys(end);
        ServerCalls holder = calls.to(targetOf(place), "");
        return keysAt(holder, place, end);
    }

    private KeySet keysAt(ServerCalls holder, URI place, long end) {
        JsonNode set = json(sent(holder, KeyUrls.pathOf(place), end), "key set");
        try {
            return JwkReader.read(set);
        } catch (InvalidConfigException e) {
            throw unusable("its key set cannot be used: " + e.getMessage());
        }
    }

    private URI placeOfKeys(long end) {
        JsonNode metadata = metadata(end);
        if (!metadata.path("issuer").asString("").equals(origin.url().toString())) {
            throw unusable("its metadata is of another issuer");
        }
        try {
            var place = new URI(metadata.path("jwks_uri").asString(""));
            if (isSafe(place)) return place;
        } catch (URISyntaxException e) {
            // told below, as any other text that is no such URL
        }
        throw unusable("its metadata names no key set that may be fetched");
    }

    private boolean isSafe(URI place) {
        if (place.getHost() == null || place.getRawUserInfo() != null) return false;
        if ("https".equals(place.getScheme())) return true;
        return "http".equals(place.getScheme()) && (origin.plaintext() || KeyUrls.isLoopback(place));
    }

    private JsonNode metadata(long end) {
        URI issuer = origin.url();
        String path = issuer.getRawPath() == null ? "" : issuer.getRawPath();
        String base = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        CallAnswer openId = sent(server, base + "/.well-known/openid-configuration", end);
        if (openId.status() != 404) return json(openId, "metadata");
        return json(sent(server, "/.well-known/oauth-authorization-server" + base, end), "metadata");
    }

    private CallAnswer sent(ServerCalls to, String path, long end) {
        long left = end - System.nanoTime();
        if (left <= 0) {
            throw new DependencyException(origin.name(), FailureReason.TIMEOUT.word(), "no keys in time", null);
        }
        var request = CallRequest.get(path).with("Accept", "application/json, application/jwk-set+json");
        return to.send(request, new CallBounds(Duration.ofNanos(left), MOST_BYTES), null);
    }

    private JsonNode json(CallAnswer answer, String what) {
        if (answer.status() != 200) throw unusable("answered " + answer.status() + " in place of its " + what);
        try {
            return Json.parseBounded(answer.text());
        } catch (InvalidConfigException e) {
            throw unusable("its " + what + " is " + e.getMessage());
        }
    }

    private CallTarget targetOf(URI place) {
        URI there = KeyUrls.origin(place);
        if (there.equals(origin.target().url())) return origin.target();
        CallTarget plain = CallTarget.of(there);
        if (plain.tls().isEmpty() || origin.target().tls().isEmpty()) return plain;
        // Whom the definition trusts is asked for by the name of this host.
        var tls = origin.target().tls().get().named(plain.tls().get().serverName());
        return new CallTarget(there, Optional.of(tls), plain.protocol(), plain.connectTimeout());
    }

    private DependencyException unusable(String why) {
        return new DependencyException(origin.name(), FailureReason.MALFORMED.word(), why, null);
    }
}
