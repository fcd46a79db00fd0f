package gateway.app.admin;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/// Who calls the admin API: the holder of one token.
///
/// @param name stands in revisions and in the audit log; gives nothing of the token away
record AdminCaller(String name, Set<AdminRight> rights) {
    AdminCaller {
        rights = Set.copyOf(rights);
    }

    static AdminCaller ofAllRights(String name) {
        return new AdminCaller(name, EnumSet.allOf(AdminRight.class));
    }

    /// @throws AdminProblem 403 without one of `wanted`
    void requireOneOf(Collection<AdminRight> wanted) {
        if (hasOneOf(wanted)) return;
        throw AdminProblem.forbidden("expected a token with the right "
                + wanted.stream().sorted().map(AdminRight::toString).collect(Collectors.joining(" or "))
                + ", got \"" + name + "\", which has not");
    }

    boolean hasOneOf(Collection<AdminRight> wanted) {
        return wanted.stream().anyMatch(rights::contains);
    }
}
