package gateway.policies.message.wss;

import gateway.config.SecretReader;
import gateway.json.ConfigNode;
import gateway.service.SecretReference;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Lets only users pass whose password is known, and names them as the caller.
///
/// @param allowPlaintext whether a password may come itself over a connection without TLS
record UserNameStep(List<User> users, Set<PasswordForm> forms, MessageTimes times, boolean allowPlaintext)
        implements SecurityStep {
    private static final int MOST_USERS = 1_000;
    private static final int LONGEST_NAME = 256;

    UserNameStep {
        users = List.copyOf(users);
        forms = Set.copyOf(forms);
    }

    /// One who may call.
    ///
    /// @param password as it is, since a digest of it is told
    record User(String name, SecretReference password, List<String> tags) {
        User {
            tags = List.copyOf(tags);
        }
    }

    /// What the definition says of how passwords come.
    private enum Shown {
        DIGEST,
        TEXT,
        ANY;

        Set<PasswordForm> forms() {
            return switch (this) {
                case DIGEST -> EnumSet.of(PasswordForm.DIGEST);
                case TEXT -> EnumSet.of(PasswordForm.TEXT);
                case ANY -> EnumSet.allOf(PasswordForm.class);
            };
        }
    }

    static UserNameStep read(ConfigNode node) {
        node.requireObject();
        ConfigNode users = node.field("users", "who may call").form("users, at least one");
        var names = new HashSet<String>();
        List<User> found = users.list(each -> user(each, names));
        users.extent(1, MOST_USERS);
        if (!users.isPresent() || found.isEmpty() || found.size() > MOST_USERS) {
            users.problem("expected 1 to " + MOST_USERS + " users, got " + found.size());
        }
        Shown shown = node.field("type", "how the password comes: as a digest with nonce and time, or itself")
                .choice(Shown.DIGEST);
        var step = new UserNameStep(
                found,
                shown.forms(),
                new MessageTimes(TimestampStep.maxAge(node), TimestampStep.clockSkew(node)),
                node.field("allowPlaintext", "take passwords as they are over connections without TLS too")
                        .bool(false));
        node.refuseUnknownFields();
        return step;
    }

    private static User user(ConfigNode node, Set<String> names) {
        node.requireObject();
        ConfigNode name = node.field("name", "of the user");
        String text = name.requiredText();
        name.extent(0, LONGEST_NAME);
        if (text.length() > LONGEST_NAME)
            name.problem("expected at most " + LONGEST_NAME + " characters, got " + text.length());
        if (!text.equals(text.strip())) name.problem("expected no space around it: messages are read without");
        if (!text.isEmpty() && !names.add(text)) name.problem("\"" + text + "\" is there twice");
        ConfigNode tags = node.field("tags", "of the caller, for `when`, `authorize` and the traffic log");
        List<String> all = tags.list(ConfigNode::requiredText);
        tags.extent(0, 64);
        if (all.size() > 64) tags.problem("expected at most 64, got " + all.size());
        var user = new User(text, SecretReader.read(node.field("password", "of the user, as it is")), all);
        node.refuseUnknownFields();
        return user;
    }

    @Override
    public String name() {
        return "username-token";
    }

    @Override
    public SecurityAction compile(SecurityPlace place) {
        return UserNameCheck.compile(this, place);
    }
}
