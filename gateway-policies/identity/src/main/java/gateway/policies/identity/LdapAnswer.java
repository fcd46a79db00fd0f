package gateway.policies.identity;

import java.util.List;

/// What a directory says of a user and a password.
sealed interface LdapAnswer {
    /// @param dn of the user
    record Right(String dn, List<String> groups) implements LdapAnswer {
        public Right {
            groups = List.copyOf(groups);
        }
    }

    /// @param why for the operator's log
    record Wrong(String why) implements LdapAnswer {}
}
