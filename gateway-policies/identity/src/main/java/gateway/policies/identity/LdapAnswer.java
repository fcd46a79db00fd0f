package gateway.policies.identity;

import gateway.http.Consumer;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// What a directory says of a user and a password.
sealed interface LdapAnswer {
    /// Who it is, made once for all requests that the answer is remembered for.
    ///
    /// @param claims as policies further on find them; nobody changes them
    record Right(Consumer caller, ObjectNode claims) implements LdapAnswer {
        /// @param dn of the user
        static Right of(String user, String dn, List<String> groups) {
            ObjectNode claims = JsonNodeFactory.instance.objectNode();
            claims.put("sub", user).put("dn", dn);
            var names = claims.putArray("groups");
            groups.forEach(names::add);
            return new Right(new Caller("ldap:" + dn, user, groups), claims);
        }
    }

    /// @param why for the operator's log
    record Wrong(String why) implements LdapAnswer {}

    /// A user as policies further on see the caller.
    record Caller(String id, String name, List<String> tags) implements Consumer {
        public Caller {
            tags = List.copyOf(tags);
        }

        @Override
        public Map<String, String> metadata() {
            return Map.of();
        }
    }
}
