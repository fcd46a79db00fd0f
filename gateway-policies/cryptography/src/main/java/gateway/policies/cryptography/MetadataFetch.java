package gateway.policies.cryptography;

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

/// Fetches an issuer's metadata (OpenID Connect Discovery 1.0 §4, else RFC 8414 §3), and what lies where that says.
public final class MetadataFetch {
    private static final int MOST_BYTES = 1 << 20;

    private final KeyOrigin.Server origin;
    private final Calls calls;
    private final ServerCalls server;

    /// @param server of the origin's target
    public MetadataFetch(KeyOrigin.Server origin, Calls calls, ServerCalls server) {
        this.origin = origin;
        this.calls = calls;
        this.server = server;
    }

    /// What the issuer says of itself.
    ///
    /// @param end of the fetch, by [System#nanoTime]
    /// @throws DependencyException when it cannot be had, or is another's
    public JsonNode metadata(long end) {
        JsonNode metadata = found(end);
        if (!metadata.path("issuer").asString("").equals(origin.url().toString())) {
            throw unusable("its metadata is of another issuer");
        }
        return metadata;
    }

    private JsonNode found(long end) {
        URI issuer = origin.url();
        String path = issuer.getRawPath() == null ? "" : issuer.getRawPath();
        String base = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        CallAnswer openId = sent(server, base + "/.well-known/openid-configuration", end);
        if (openId.status() != 404) return json(openId, "metadata");
        return json(sent(server, "/.well-known/oauth-authorization-server" + base, end), "metadata");
    }

    /// The JSON at a place on one of the issuer's servers.
    ///
    /// @param what is there, in words
    public JsonNode json(ServerCalls holder, URI place, String what, long end) {
        return json(sent(holder, KeyUrls.pathOf(place), end), what);
    }

    /// The URL that the metadata names, which may be called, or browsers be sent to.
    ///
    /// @param member of the metadata
    /// @param what is there, in words
    public URI place(JsonNode metadata, String member, String what) {
        try {
            var place = new URI(metadata.path(member).asString(""));
            if (isSafe(place)) return place;
        } catch (URISyntaxException e) {
            // told below, as any other text that is no such URL
        }
        throw unusable("its metadata names no " + what);
    }

    private boolean isSafe(URI place) {
        if (place.getHost() == null || place.getRawUserInfo() != null || place.getRawFragment() != null) return false;
        if (!place.toASCIIString().equals(place.toString())) return false;
        boolean loopback = KeyUrls.isLoopback(place);
        if (loopback && !KeyUrls.isLoopback(origin.url())) return false; // others do not say what is asked here
        if ("https".equals(place.getScheme())) return true;
        return "http".equals(place.getScheme()) && (origin.plaintext() || loopback);
    }

    /// The server of a place that the metadata names.
    public ServerCalls holder(URI place) {
        return calls.to(target(place), "");
    }

    private CallTarget target(URI place) {
        URI there = KeyUrls.origin(place);
        if (there.equals(origin.target().url())) return origin.target();
        CallTarget plain = CallTarget.of(there);
        if (plain.tls().isEmpty() || origin.target().tls().isEmpty()) return plain;
        // Whom the definition trusts is asked for by the name of this host.
        var tls = origin.target().tls().get().named(plain.tls().get().serverName());
        return new CallTarget(there, Optional.of(tls), plain.protocol(), plain.connectTimeout());
    }

    private CallAnswer sent(ServerCalls to, String path, long end) {
        long left = end - System.nanoTime();
        if (left <= 0) {
            throw new DependencyException(origin.name(), FailureReason.TIMEOUT.word(), "no answer in time", null);
        }
        var request = CallRequest.get(path).with("Accept", "application/json, application/jwk-set+json");
        return to.send(request, new CallBounds(Duration.ofNanos(left), MOST_BYTES), null);
    }

    private JsonNode json(CallAnswer answer, String what) {
        if (answer.status() != 200) throw unusable("answered " + answer.status() + " in place of its " + what);
        try {
            return Json.parseBounded(answer.text());
        } catch (InvalidConfigException e) {
            throw unusable("its " + what + ": " + e.problems().getFirst().message());
        }
    }

    public DependencyException unusable(String why) {
        return new DependencyException(origin.name(), FailureReason.MALFORMED.word(), why, null);
    }
}
