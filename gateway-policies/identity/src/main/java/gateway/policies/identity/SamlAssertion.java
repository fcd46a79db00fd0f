package gateway.policies.identity;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// What an assertion says, read from what was signed of it (SAML 2.0 Core §2). Whether that holds here and now,
/// [AssertionRules] decide.
///
/// @param issued when it was made
/// @param audiences for whom it is: of each of these sets one; empty: it does not say
/// @param once whether it says that it may be used once
/// @param confirmations ways in which whoever shows it may be the one it is about
/// @param authenticated when that one has proved who it is, where the assertion says so
/// @param sessionEnd until when that may be taken for granted, where it says so
/// @param claims `name-id`, `issuer`, `session` and a member `attribute:<name>` for each attribute
record SamlAssertion(
        String id,
        String issuer,
        Instant issued,
        Optional<Instant> begin,
        Instant end,
        List<Set<String>> audiences,
        boolean once,
        List<SamlConfirmation> confirmations,
        Optional<Instant> authenticated,
        Optional<Instant> sessionEnd,
        ObjectNode claims) {
    SamlAssertion {
        audiences = List.copyOf(audiences);
        confirmations = List.copyOf(confirmations);
    }
}
