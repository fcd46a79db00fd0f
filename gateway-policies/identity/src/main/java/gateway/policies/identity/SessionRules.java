package gateway.policies.identity;

import gateway.config.SecretReader;
import gateway.http.HeaderText;
import gateway.json.ConfigNode;
import gateway.json.Durations;
import gateway.service.SecretReference;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// How sessions are kept, and for how long.
///
/// @param cookie name of it; empty: made of the API's id
/// @param key what sessions and logins are sealed with, by reference
/// @param idle how long a session may rest
/// @param total how long it may last
/// @param stale how long past its access token's end it goes on while the provider does not answer
/// @param keep claims, by their names
record SessionRules(
        Place in,
        Optional<String> cookie,
        SecretReference key,
        Duration idle,
        Duration total,
        Duration stale,
        Set<String> keep) {
    /// Bytes of the shortest key that is taken.
    static final int KEY_BYTES = 32;

    private static final int LONGEST_NAME = 64;
    private static final int MOST_CLAIMS = 100;

    /// Where they are.
    enum Place {
        STORE,
        COOKIE
    }

    SessionRules {
        keep = Set.copyOf(keep);
    }

    private static final Pattern COOKIE = Pattern.compile("[!#$%&'*+.^_`|0-9A-Za-z-]+");

    static SessionRules read(ConfigNode node) {
        node.requireObject();
        var idle = node.field("idle", "how long a session may rest, to a tenth");
        var total = node.field("total", "how long it may last");
        var rules = new SessionRules(
                node.field("in", "`store`: an id in the cookie; `cookie`: all of it, sealed, without a store")
                        .choice(Place.STORE),
                cookie(node.field("cookie", "name of the session's cookie; others of the policy begin with it and `~`")
                        .unlessGiven("`__Host-gw-<api>`")),
                SecretReader.read(node.field(
                        "key", "what sessions and logins are sealed with: at least 32 bytes, the same on all nodes")),
                idle.duration(Duration.ofMinutes(1), Duration.ofDays(30), Duration.ofMinutes(30)),
                total.duration(Duration.ofMinutes(1), Duration.ofDays(30), Duration.ofHours(8)),
                node.field("stale", "how long past its access token's end it goes on while the provider is away")
                        .duration(Duration.ZERO, Duration.ofDays(1), Duration.ofMinutes(5)),
                keep(node.field("keep", "claims of the ID token that are kept, besides those that are used")));
        if (rules.idle.compareTo(rules.total) > 0 && total.isPresent() && idle.isPresent()) {
            idle.expected("at most \"total\", " + Durations.text(rules.total));
        }
        node.refuseUnknownFields();
        return rules;
    }

    private static Optional<String> cookie(ConfigNode field) {
        if (!field.isPresent()) return Optional.empty();
        String name = field.like(COOKIE).extent(1, LONGEST_NAME).requiredText();
        if (!HeaderText.isToken(name) || name.length() > LONGEST_NAME || name.indexOf('~') >= 0) {
            field.expected("a cookie's name of at most " + LONGEST_NAME + " characters without \"~\"");
        }
        return Optional.of(name);
    }

    private static Set<String> keep(ConfigNode field) {
        List<String> names = field.list(ConfigNode::requiredText);
        field.extent(0, MOST_CLAIMS);
        if (names.size() > MOST_CLAIMS) field.problem("expected at most " + MOST_CLAIMS + ", got " + names.size());
        return Set.copyOf(names);
    }

    /// Whether a session has ended by itself.
    boolean isOver(Session session, long now) {
        if (now >= session.began() + total.toMillis() || now >= session.seen() + idle.toMillis()) return true;
        boolean cannotRenew = session.refreshToken().isEmpty();
        return cannotRenew && session.accessToken().isPresent() && now >= session.accessEnds();
    }

    /// Whether it is time to note that a session is in use.
    boolean isToBeNoted(Session session, long now) {
        return now - session.seen() >= idle.toMillis() / 10;
    }

    /// How long a session may stay from now on.
    Duration left(Session session, long now) {
        return Duration.ofMillis(Math.min(idle.toMillis(), session.began() + total.toMillis() - now));
    }
}
