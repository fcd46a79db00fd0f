package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.http.HeaderField;
import gateway.http.Secret;
import gateway.json.InvalidConfigException;
import gateway.policy.BodyUse;
import gateway.policy.CredentialFields;
import gateway.policy.Dependency;
import gateway.policy.Policy;
import gateway.policy.RunsOn;
import gateway.policy.Services;
import gateway.policy.Template;
import gateway.policy.TemplatePlace;
import gateway.policy.Verdict;
import gateway.service.SecretReference;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;

/// What an upstream is shown, as the definition says it.
sealed interface UpstreamCredential
        permits UpstreamCredential.Basic,
                UpstreamCredential.HeaderKey,
                UpstreamCredential.QueryKey,
                UpstreamCredential.Bearer,
                UpstreamCredential.OAuth2,
                UpstreamCredential.Exchanged,
                OwnToken,
                AwsAuth,
                RequestSignature {
    /// With its secrets.
    ///
    /// @throws InvalidConfigException when one of them cannot be had, or not be shown
    Policy ready(Services services);

    /// What it cannot be had without.
    default Set<Dependency> dependencies() {
        return Set.of();
    }

    /// What it needs of bodies.
    default BodyUse bodyUse() {
        return BodyUse.NONE;
    }

    /// Where it is made.
    default RunsOn runsOn() {
        return RunsOn.REQUEST_THREAD;
    }

    /// Where it stands in requests.
    default CredentialFields fields() {
        return CredentialFields.USUAL;
    }

    /// User and password (RFC 7617).
    record Basic(String user, SecretReference password) implements UpstreamCredential {
        @Override
        public Policy ready(Services services) {
            return inHeader("Authorization", new Secret(basic(user, services.secret(password))));
        }
    }

    /// A text in a header of the operator's choice.
    record HeaderKey(String header, SecretReference value) implements UpstreamCredential {
        @Override
        public Policy ready(Services services) {
            Secret secret = services.secret(value);
            if (Template.hidden(secret, TemplatePlace.HEADER).isEmpty()) {
                throw new InvalidConfigException(
                        "/apiKey/value", value + ": holds characters that may not stand in a header");
            }
            return inHeader(header, secret);
        }

        @Override
        public CredentialFields fields() {
            return new CredentialFields(Set.of(header), Set.of());
        }
    }

    /// A text in a parameter of the query.
    record QueryKey(String parameter, SecretReference value) implements UpstreamCredential {
        @Override
        public Policy ready(Services services) {
            Secret secret = services.secret(value);
            return exchange -> {
                exchange.outgoing().removeQueryParameter(parameter);
                exchange.outgoing().addQueryParameter(parameter, secret.reveal());
                return Verdict.proceed();
            };
        }

        @Override
        public CredentialFields fields() {
            return new CredentialFields(Set.of(), Set.of(parameter));
        }
    }

    /// A bearer token that does not change by itself (RFC 6750).
    record Bearer(SecretReference token) implements UpstreamCredential {
        @Override
        public Policy ready(Services services) {
            Secret secret = services.secret(token);
            if (!AccessToken.isToken(secret.reveal())) {
                throw new InvalidConfigException("/bearer/token", token + ": is no bearer token (RFC 6750 §2.1)");
            }
            return inHeader("Authorization", new Secret("Bearer " + secret.reveal()));
        }
    }

    /// A token of an OAuth 2.0 server for the gateway itself, one for all requests (RFC 6749 §4.3, §4.4).
    record OAuth2(TokenTerms terms) implements UpstreamCredential {
        @Override
        public Policy ready(Services services) {
            TokenSlot slot = TokenSlot.of(terms, services);
            return exchange -> slot.take().show(exchange);
        }

        @Override
        public Set<Dependency> dependencies() {
            return Set.of(new Dependency.Server(terms.target().name()));
        }
    }

    /// A token of an OAuth 2.0 server for each caller's own (RFC 8693).
    record Exchanged(TokenTerms terms) implements UpstreamCredential {
        @Override
        public Policy ready(Services services) {
            return new TokenExchange(ExchangedTokens.of(terms, services));
        }

        @Override
        public Set<Dependency> dependencies() {
            return Set.of(new Dependency.Server(terms.target().name()));
        }
    }

    private static Policy inHeader(String name, Secret secret) {
        var field = new HeaderField(name, secret.reveal());
        return new Policy() {
            @Override
            public Verdict apply(Exchange exchange) {
                exchange.outgoing().headers().set(field);
                return Verdict.proceed();
            }

            @Override
            public String toString() {
                return name + ": ***";
            }
        };
    }

    private static String basic(String user, Secret password) {
        byte[] both = (user + ':' + password.reveal()).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(both);
    }
}
