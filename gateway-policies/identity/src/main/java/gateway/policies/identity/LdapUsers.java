package gateway.policies.identity;

import gateway.json.ConfigNode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Where in a directory users and their groups are.
///
/// @param dn of a user, with `{user}`; empty: searched for
/// @param base below which is searched; empty text when there is `dn`
/// @param filter with `{user}`; empty text when there is `dn`
record LdapUsers(Optional<String> dn, String base, String filter, Optional<Groups> groups) {
    static final String USER = "{user}";
    static final String DN = "{dn}";

    /// @param filter with `{dn}` or `{user}`
    /// @param require of which the user has to be in one; empty: in any or none
    record Groups(String base, String filter, String attribute, List<String> require) {
        Groups {
            require = List.copyOf(require);
        }
    }

    private static final Pattern HOLDING_USER = Pattern.compile("[\\s\\S]*\\{user\\}[\\s\\S]*");
    private static final Pattern HOLDING_ANY = Pattern.compile("[\\s\\S]*\\{(user|dn)\\}[\\s\\S]*");

    static LdapUsers read(ConfigNode node) {
        var users = node.field("users", "either `dn`, or `base` and `filter`");
        users.requireObject();
        var dn = users.field("dn", "of a user, with `{user}` for the name");
        var base = users.field("base", "below which users are searched for");
        var filter = users.field("filter", "that finds the one user, with `{user}` for the name");
        users.one("dn", "base").one("dn", "filter");
        dn.like(HOLDING_USER);
        filter.like(HOLDING_USER);
        if (dn.isPresent() == (base.isPresent() || filter.isPresent())) {
            users.problem("expected either \"dn\", or \"base\" and \"filter\"");
        }
        Optional<String> template = dn.optionalText();
        if (template.isPresent()) holding(dn, template.get(), USER);
        String where = dn.isPresent() ? "" : base.requiredText();
        String what = dn.isPresent() ? "" : holding(filter, filter.requiredText(), USER);
        users.refuseUnknownFields();
        return new LdapUsers(template, where, what, groups(node.field("groups", "whose names are the caller's tags")));
    }

    private static Optional<Groups> groups(ConfigNode node) {
        if (!node.expectObject()) return Optional.empty();
        var filter = node.field("filter", "that finds a user's groups, with `{dn}` or `{user}`");
        String text = filter.like(HOLDING_ANY).text("(member={dn})");
        if (!text.contains(USER) && !text.contains(DN)) filter.expected("{dn} or {user} in it");
        var found = new Groups(
                node.field("base", "below which groups are searched for").requiredText(),
                text,
                node.field("attribute", "that holds a group's name").text("cn"),
                node.field("require", "of which the user has to be in one").list(ConfigNode::requiredText));
        node.refuseUnknownFields();
        return Optional.of(found);
    }

    private static String holding(ConfigNode node, String text, String name) {
        if (!text.isEmpty() && !text.contains(name)) node.expected(name + " in it");
        return text;
    }
}
