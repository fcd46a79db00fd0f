package gateway.policies.identity;

import com.google.auto.service.AutoService;
import gateway.config.SecretReader;
import gateway.json.ConfigNode;
import gateway.policy.Dependency;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.service.SecretReference;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// Lets only users pass whose password a directory takes (RFC 4511, RFC 4513): 401 for others, 503 while it is away.
///
/// @param bind as whom users and groups are searched for; empty: as nobody
/// @param cacheFor how long a password found right is not asked about again
public record LdapAuth(
        LdapServers servers, Optional<Account> bind, LdapUsers users, Duration cacheFor, boolean forwardCredential)
        implements PolicySpec {
    /// The gateway's own account.
    record Account(String dn, SecretReference password) {}

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        return LdapAuthentication.compile(this, placement, services);
    }

    @Override
    public Set<Dependency> dependencies() {
        return Set.of(new Dependency.Server(servers.name()));
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "ldap-auth";
        }

        @Override
        public Stage stage() {
            return Stage.AUTHENTICATE;
        }

        @Override
        public LdapAuth read(ConfigNode node) {
            return new LdapAuth(
                    LdapServers.read(node),
                    account(node.field("bind", "the gateway's own account, for searches")
                            .unlessGiven("searches as nobody")),
                    LdapUsers.read(node),
                    node.field("cacheFor", "how long a password found right is not asked about again; `0s`: each time")
                            .duration(Duration.ZERO, Duration.ofHours(1), Duration.ofMinutes(1)),
                    node.field("forwardCredential", "leave `Authorization` in the request that the upstream sees")
                            .bool(false));
        }

        private static Optional<Account> account(ConfigNode node) {
            if (!node.expectObject()) return Optional.empty();
            var account = new Account(
                    node.field("dn", "its name").requiredText(),
                    SecretReader.read(node.field("password", "its password")));
            node.refuseUnknownFields();
            return Optional.of(account);
        }
    }
}
