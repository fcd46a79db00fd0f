package gateway.policies.standard;

import gateway.http.Exchange;
import gateway.http.HeldBody;
import gateway.policy.AuthenticationPolicy;
import gateway.policy.Verdict;
import gateway.service.ShortTerm;
import gateway.service.ShortTermName;
import gateway.service.ShortTermUse;
import gateway.service.ShortTermValue;
import gateway.service.Workers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks each request for the signature of a webhook.
final class WebhookAuthentication implements AuthenticationPolicy {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookVerify.class);
    private static final String HMAC = "HmacSHA256";

    /// Keeps what is remembered apart from any other digest of the same bytes.
    private static final byte[] REPLAYED = "webhook-verify once\0".getBytes(StandardCharsets.US_ASCII);

    /// Bytes whose digest takes no longer than a hand-over.
    private static final int SMALL = 64 << 10;

    /// How long a signature without a time is remembered: as long as GitHub sends one again when asked to.
    private static final Duration REMEMBERED = Duration.ofDays(3);

    private final WebhookVerify spec;
    private final List<SecretKeySpec> keys;
    private final ShortTerm used;
    private final Workers workers;
    private final InstantSource clock;
    private final String place;
    private final WebhookSender sender;
    private final String challenge;

    /// @param keys of which one has signed
    /// @param place names what is remembered of webhooks that may come once
    WebhookAuthentication(
            WebhookVerify spec,
            List<byte[]> keys,
            ShortTerm used,
            Workers workers,
            InstantSource clock,
            String place,
            WebhookSender sender,
            String challenge) {
        this.spec = spec;
        this.keys = keys.stream().map(key -> new SecretKeySpec(key, HMAC)).toList();
        this.used = used;
        this.workers = workers;
        this.clock = clock;
        this.place = place;
        this.sender = sender;
        this.challenge = challenge;
    }

    @Override
    public @Nullable String shownAt(Exchange exchange) {
        String field = spec.form().field(spec.prefix());
        return exchange.headers().contains(field) ? "header:" + field.toLowerCase(Locale.ROOT) : null;
    }

    /// The upstream may verify it once more: a signature of a body opens nothing else.
    @Override
    public void strip(Exchange exchange) {}

    @Override
    public String challenge() {
        return challenge;
    }

    @Override
    public Verdict apply(Exchange exchange) {
        if (exchange.authenticationWaived()) return Verdict.proceed();
        if (shownAt(exchange) == null) {
            return CredentialRefusal.unauthenticated(exchange, challenge, "The signature is missing");
        }
        Optional<String> flaw = flaw(exchange, clock.millis());
        if (flaw.isPresent()) {
            LOG.debug("{}: a webhook is refused: {}", place, flaw.get());
            return CredentialRefusal.unauthenticated(exchange, challenge, "The signature is invalid");
        }
        if (exchange.consumer().isEmpty()) exchange.authenticated(sender);
        return Verdict.proceed();
    }

    /// What is wrong, for the operator's log only.
    private Optional<String> flaw(Exchange exchange, long now) {
        Optional<WebhookSignature> shown = spec.form().read(exchange, spec.prefix());
        if (shown.isEmpty()) return Optional.of("it is none");
        WebhookSignature signature = shown.get();
        if (!isInTime(signature, now)) return Optional.of("it is too old, or comes too early");
        Optional<byte[]> body = body(exchange);
        if (body.isEmpty()) return Optional.of("the body has no end");
        Optional<String> name = body.get().length > SMALL
                ? workers.callBriefly(exchange.api(), () -> name(signature, body.get()))
                : name(signature, body.get());
        if (name.isEmpty()) return Optional.of("no secret has signed it");
        return spec.once() && !isFirst(signature, name.get(), now)
                ? Optional.of("it has come before")
                : Optional.empty();
    }

    private static Optional<byte[]> body(Exchange exchange) {
        if (exchange.outgoing().body().length().orElse(-1) == 0) return Optional.of(new byte[0]);
        return exchange.held().map(HeldBody::content);
    }

    private boolean isInTime(WebhookSignature signature, long now) {
        if (signature.seconds() == WebhookSignature.NO_TIME) return true;
        long at = signature.seconds() * 1_000;
        return at <= now + spec.clockSkew().toMillis()
                && now <= at + spec.maxAge().toMillis();
    }

    /// What it is remembered by; empty when none of the secrets has signed it. That is its id, which is signed, else
    /// what was signed: the same whichever secret has signed it, since a sender signs with two while they rotate.
    private Optional<String> name(WebhookSignature signature, byte[] body) {
        if (!isSigned(signature, body)) return Optional.empty();
        if (!spec.once() || !signature.id().isEmpty()) return Optional.of(signature.id());
        MessageDigest digest = sha256();
        digest.update(REPLAYED);
        digest.update(signature.before().getBytes(StandardCharsets.UTF_8));
        return Optional.of(HexFormat.of().formatHex(digest.digest(body)));
    }

    /// Each is compared with each.
    private boolean isSigned(WebhookSignature signature, byte[] body) {
        boolean found = false;
        for (SecretKeySpec key : keys) {
            byte[] made = signed(key, signature.before(), body);
            for (byte[] each : signature.signatures()) found |= MessageDigest.isEqual(made, each);
        }
        return found;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static byte[] signed(SecretKeySpec key, String before, byte[] body) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            mac.update(before.getBytes(StandardCharsets.UTF_8));
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + HMAC, e);
        }
    }

    private boolean isFirst(WebhookSignature signature, String name, long now) {
        Duration left = signature.seconds() == WebhookSignature.NO_TIME
                ? REMEMBERED
                : Duration.ofMillis(signature.seconds() * 1_000 + spec.maxAge().toMillis() - now);
        return ShortTermValue.ofOnce(left, spec.clockSkew())
                .filter(taken -> used.putIfAbsent(ShortTermName.of(ShortTermUse.REPLAY, place, name), taken))
                .isPresent();
    }
}
