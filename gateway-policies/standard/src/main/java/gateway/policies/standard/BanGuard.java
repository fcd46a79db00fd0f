package gateway.policies.standard;

import gateway.http.Exchange;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import java.util.Optional;

/// A compiled `ban`.
final class BanGuard implements Policy {
    private final Ban spec;
    private final BanTable table;

    BanGuard(Ban spec, BanTable table) {
        this.spec = spec;
        this.table = table;
    }

    @Override
    public Verdict apply(Exchange exchange) {
        if (spec.never().contains(exchange.clientAddress())) return Verdict.proceed();
        Optional<String> subject = spec.by().subject(exchange);
        if (subject.isEmpty()) return Verdict.proceed();
        long now = table.now();
        Optional<BanEntry> ban = table.standing(subject.get(), now);
        if (ban.isPresent()) return refused(exchange, ban.get(), now);
        return Verdict.proceed(new Watching(subject.get()));
    }

    private static Verdict refused(Exchange exchange, BanEntry ban, long now) {
        long seconds = Math.max(1, ban.left(now).plusMillis(999).toSeconds());
        return Verdict.stop(
                Problem.of("banned", 429, "Banned", "Too many of your requests were refused; come back later")
                        .toResponse(exchange.requestId())
                        .with("Retry-After", Long.toString(seconds)));
    }

    /// Sees what the request is answered.
    private final class Watching implements Followup {
        private final String subject;

        Watching(String subject) {
            this.subject = subject;
        }

        @Override
        public Response onResponse(Response answer) {
            if (spec.answers().hold(answer)) table.refused(subject, table.now());
            else table.answered(subject);
            return answer;
        }
    }

    @Override
    public String toString() {
        return table.toString();
    }
}
