package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.http.Outgoing;
import gateway.http.Problem;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import java.time.InstantSource;
import java.util.Map;

/// Signs what goes out to AWS.
///
/// @param payload whether the body is signed
record AwsSigning(AwsSigner signer, AwsAuth.Payload payload, InstantSource clock) implements Policy {
    @Override
    public Verdict apply(Exchange exchange) {
        boolean signed = payload == AwsAuth.Payload.SIGNED;
        if (signed && exchange.held().isEmpty() && !isEmpty(exchange)) return unsigned(exchange);
        Outgoing outgoing = exchange.outgoing();
        String digest = signed ? digest(exchange) : AwsSigner.UNSIGNED;
        Map<String, String> fields =
                signer.sign(outgoing.method(), outgoing.path(), outgoing.query(), digest, clock.instant());
        fields.forEach(outgoing.headers()::set);
        return Verdict.proceed();
    }

    static boolean isEmpty(Exchange exchange) {
        return exchange.outgoing().body().length().orElse(-1) == 0;
    }

    private static String digest(Exchange exchange) {
        return AwsSigner.sha256(exchange.held().map(held -> held.content()).orElse(new byte[0]));
    }

    /// A stream without an end is never held.
    static Verdict unsigned(Exchange exchange) {
        return Verdict.stop(Problem.of(
                        "unsupported-media-type",
                        415,
                        "Unsupported media type",
                        "Bodies without an end cannot be signed")
                .toResponse(exchange.requestId()));
    }

    @Override
    public String toString() {
        return signer.toString();
    }
}
