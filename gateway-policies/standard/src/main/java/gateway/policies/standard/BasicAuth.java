package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.json.ConfigNode;
import gateway.policy.AuthenticationPolicy;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Lets only users with a password pass (RFC 7617): 401 for everybody else.
///
/// @param realm told in the challenge; empty: the API's id
/// @param cacheFor how long a password found right is not hashed again
/// @param forwardCredential leave `Authorization` in the request that the upstream sees
public record BasicAuth(List<User> users, Optional<String> realm, Duration cacheFor, boolean forwardCredential)
        implements PolicySpec {
    public BasicAuth {
        users = List.copyOf(users);
    }

    /// One who may call.
    public record User(String name, PasswordHash password, List<String> tags, Map<String, String> metadata) {
        public User {
            tags = List.copyOf(tags);
            metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
        }
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        var hashing = services.shared(
                new PasswordHashing.Id(), PasswordHashing.class, () -> new PasswordHashing(services.workers()));
        var verified = services.shared(
                new VerifiedPasswords.Id(cacheFor),
                VerifiedPasswords.class,
                () -> VerifiedPasswords.create(cacheFor, hashing, services.clock()));
        var accounts = new HashMap<String, Account>();
        for (User user : users)
            accounts.put(user.name(), new Account("basic:" + placement.api() + '/' + user.name(), user));
        var scheme = BasicScheme.of(realm.orElse(placement.api()), forwardCredential);
        return new Authentication(accounts, users.getFirst().password(), verified, scheme);
    }

    /// A user as policies further on see the caller.
    private record Account(String id, User user) implements Consumer {
        @Override
        public String name() {
            return user.name();
        }

        @Override
        public List<String> tags() {
            return user.tags();
        }

        @Override
        public Map<String, String> metadata() {
            return user.metadata();
        }
    }

    /// @param decoy hashed in place of an unknown user's, so that the time does not tell which names exist
    private record Authentication(
            Map<String, Account> accounts, PasswordHash decoy, VerifiedPasswords verified, BasicScheme scheme)
            implements AuthenticationPolicy {
        @Override
        public @Nullable String shownAt(Exchange exchange) {
            return scheme.shownAt(exchange);
        }

        @Override
        public void strip(Exchange exchange) {
            scheme.strip(exchange);
        }

        @Override
        public String challenge() {
            return scheme.challenge();
        }

        @Override
        public Verdict apply(Exchange exchange) {
            return scheme.apply(exchange, given -> decide(exchange, given));
        }

        private Verdict decide(Exchange exchange, Credentials given) {
            @Nullable Account account = accounts.get(given.user());
            PasswordHash hash = account == null ? decoy : account.user().password();
            if (verified.contains(hash, given.password())) return passed(exchange, account);
            return switch (verified.verify(hash, given.password(), account != null && !exchange.isSupposed())) {
                case RIGHT -> passed(exchange, account);
                case WRONG -> scheme.invalid(exchange);
                case BUSY -> BasicScheme.busy(exchange);
            };
        }

        private Verdict passed(Exchange exchange, @Nullable Account account) {
            if (account == null) return scheme.invalid(exchange); // the decoy's own password under another name
            exchange.authenticated(account);
            return Verdict.proceed();
        }
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        private static final Pattern USER = Pattern.compile("[^\\x00-\\x1f:\\x7f]+");
        private static final Pattern REALM = Pattern.compile("[ !#-\\[\\]-~]+");

        @Override
        public String name() {
            return "basic-auth";
        }

        @Override
        public Stage stage() {
            return Stage.AUTHENTICATE;
        }

        @Override
        public BasicAuth read(ConfigNode node) {
            var names = new HashSet<String>();
            var users = node.field("users", "who may call").form("users, at least one");
            var found = users.list(user -> readUser(user, names));
            boolean none = !users.isPresent() || users.json().orElseThrow().isArray();
            users.extent(1, Integer.MAX_VALUE);
            if (found.isEmpty() && none) users.problem("expected at least one user, got none");
            return new BasicAuth(
                    found,
                    readRealm(node.field("realm", "told in the challenge")
                            .form("printable ASCII without quotes")
                            .unlessGiven("the API's id")),
                    node.field("cacheFor", "how long a password found right is not hashed again")
                            .duration(Duration.ofSeconds(1), Duration.ofHours(1), Duration.ofMinutes(1)),
                    node.field("forwardCredential", "leave `Authorization` in the request that the upstream sees")
                            .bool(false));
        }

        private static User readUser(ConfigNode node, Set<String> names) {
            node.requireObject();
            var name = node.field("name", "of the user").form("1 to 128 characters, no `:`");
            String text = name.like(USER).requiredText();
            name.extent(1, 128);
            if (text.length() > 128 || (!text.isEmpty() && !USER.matcher(text).matches())) {
                name.problem("expected 1 to 128 characters without \":\" and control characters");
            }
            if (!text.isEmpty() && !names.add(text)) name.problem("\"" + text + "\" is there twice");
            var user = new User(
                    text,
                    PasswordHash.read(node.field("password", "`htpasswd -nBC 12 alice` makes one")
                            .form("bcrypt hash, `$2a$`, `$2b$` or `$2y$`, cost 4 to 14")),
                    node.field("tags", "for `when` and the traffic log").list(ConfigNode::requiredText),
                    node.field("metadata", "for `{key.metadata.…}` in `headers`")
                            .map(ConfigNode::text));
            node.refuseUnknownFields();
            return user;
        }

        private static Optional<String> readRealm(ConfigNode node) {
            if (!node.isPresent()) return Optional.empty();
            String realm = node.like(REALM).requiredText();
            if (!realm.isEmpty() && !REALM.matcher(realm).matches()) {
                node.expected("printable ASCII without quotes and backslashes");
            }
            return Optional.of(realm);
        }
    }
}
