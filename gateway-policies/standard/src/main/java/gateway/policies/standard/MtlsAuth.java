package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.http.ClientCertificate;
import gateway.http.Exchange;
import gateway.json.ConfigNode;
import gateway.policy.AuthenticationPolicy;
import gateway.policy.Dependency;
import gateway.policy.Policy;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Lets only clients pass that have shown a certificate on their TLS connection (RFC 8446 §4.4.2): 401 without one, or
/// with one that nobody is known by.
///
/// @param clients who is known; empty: everybody whose certificate the listener has let in
public record MtlsAuth(List<CertificateClient> clients) implements PolicySpec {
    public MtlsAuth {
        clients = List.copyOf(clients);
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        var known = new HashMap<Object, CertificateClient>(); // by fingerprint or subject
        for (CertificateClient client : clients) {
            client.sha256().ifPresent(sha256 -> known.put(sha256, client));
            client.subject().ifPresent(subject -> known.put(subject, client));
        }
        return new Authentication(known, KeyedCallers.of(services), "Certificate realm=\"" + placement.api() + '"');
    }

    @Override
    public Set<Dependency> dependencies() {
        boolean namesKeys = clients.stream().anyMatch(client -> client.key().isPresent());
        return namesKeys ? Set.of(Dependency.Store.KEYS) : Set.of();
    }

    @Override
    public List<PolicyDefinition> brings() {
        return dependencies().isEmpty() ? List.of() : KeyedCallers.limits();
    }

    private record Authentication(Map<Object, CertificateClient> known, KeyedCallers keyed, String challenge)
            implements AuthenticationPolicy {
        @Override
        public @Nullable String shownAt(Exchange exchange) {
            return exchange.clientCertificate().isPresent() ? "certificate" : null;
        }

        @Override
        public void strip(Exchange exchange) {} // it is the connection's

        @Override
        public Verdict apply(Exchange exchange) {
            if (exchange.authenticationWaived()) return Verdict.proceed();
            Optional<ClientCertificate> shown = exchange.clientCertificate();
            if (shown.isEmpty()) return refused(exchange, "The client certificate is missing");
            CertificateClient client = client(shown.get());
            if (client == null) return refused(exchange, "The client certificate is unknown");
            if (client.key().isPresent()) {
                return keyed.decide(exchange, client.key().get(), "certificate", challenge);
            }
            exchange.authenticated(client.shown(shown.get()));
            return Verdict.proceed();
        }

        private @Nullable CertificateClient client(ClientCertificate shown) {
            if (known.isEmpty()) return CertificateClient.ANYBODY;
            CertificateClient exact = known.get(shown.sha256());
            return exact != null ? exact : known.get(shown.subject());
        }

        private Verdict refused(Exchange exchange, String detail) {
            return CredentialRefusal.unauthenticated(exchange, challenge, detail);
        }
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "mtls-auth";
        }

        @Override
        public Stage stage() {
            return Stage.AUTHENTICATE;
        }

        @Override
        public MtlsAuth read(ConfigNode node) {
            var clients = node.field(
                            "clients", "who is known; left out, every certificate that the listener has let in passes")
                    .form("clients")
                    .unlessGiven("all");
            List<CertificateClient> found = clients.list(CertificateClient::read);
            boolean empty = clients.json()
                    .filter(json -> json.isArray() && json.isEmpty())
                    .isPresent();
            clients.extent(1, Integer.MAX_VALUE);
            if (empty) clients.problem("expected at least one client; leave the field out to let all certificates in");
            if (repeats(found)) clients.problem("expected each client once");
            return new MtlsAuth(found);
        }

        private static boolean repeats(List<CertificateClient> clients) {
            var seen = new HashSet<Object>();
            return clients.stream()
                    .flatMap(client -> Stream.concat(client.sha256().stream(), client.subject().stream()))
                    .anyMatch(each -> !seen.add(each));
        }
    }
}
