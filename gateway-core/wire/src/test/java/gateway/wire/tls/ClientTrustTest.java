package gateway.wire.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Chains that were trusted once, looked at again.
final class ClientTrustTest {
    private static final Duration MONTH = Duration.ofDays(30);

    private final TestAuthority authority = new TestAuthority();
    private final TestAuthority team = authority.below(Duration.ofDays(10), "Team");
    private final List<X509Certificate> chain = team.issue("EC", MONTH, "any").chain();

    @Test
    void a_chain_is_in_force_until_the_first_of_its_certificates_expires() {
        assertThat(admits(authority, 9, chain)).isTrue();
        assertThat(admits(authority, 11, chain)).isFalse();
    }

    @Test
    void a_chain_ends_at_the_first_authority_that_is_trusted() {
        TestAuthority project = team.below(MONTH, "Project");
        List<X509Certificate> longer = project.issue("EC", MONTH, "any").chain();

        assertThat(admits(project, 11, longer)).isTrue();
        assertThat(admits(authority, 11, longer)).isFalse();
    }

    @Test
    void what_leads_to_no_authority_may_have_expired() {
        X509Certificate beside =
                new TestAuthority().below(Duration.ofDays(1), "Beside").certificate();

        assertThat(admits(authority, 9, with(chain, beside))).isTrue();
    }

    @Test
    void of_two_certificates_of_one_authority_the_one_in_force_counts() {
        X509Certificate renewed = authority.below(MONTH, "Team").certificate();

        assertThat(admits(authority, 11, with(chain, renewed))).isTrue();
    }

    @Test
    void a_certificate_that_is_trusted_itself_needs_no_authority() {
        List<X509Certificate> alone = chain.subList(0, 1);
        ClientTrust trust = ClientTrust.of(alone, Revocations.NONE);

        assertThat(trust.admits(alone.toArray(X509Certificate[]::new), in(11))).isTrue();
        assertThat(trust.admits(alone.toArray(X509Certificate[]::new), in(31))).isFalse();
    }

    @Test
    void names_that_go_round_in_circles_lead_to_nobody() {
        TestAuthority other = team.below(MONTH, "Other");
        X509Certificate back = other.below(MONTH, "Team").certificate();

        assertThat(admits(new TestAuthority("Nobody"), 1, List.of(chain.getFirst(), back, other.certificate())))
                .isFalse();
    }

    @Test
    void who_has_shown_no_certificate_has_none_that_expires() {
        assertThat(admits(authority, 1, List.of())).isTrue();
    }

    private static boolean admits(TestAuthority trusted, int days, List<X509Certificate> chain) {
        return ClientTrust.of(List.of(trusted.certificate()), Revocations.NONE)
                .admits(chain.toArray(X509Certificate[]::new), in(days));
    }

    private static Instant in(int days) {
        return Instant.now().plus(Duration.ofDays(days));
    }

    private static List<X509Certificate> with(List<X509Certificate> chain, X509Certificate more) {
        return Stream.concat(chain.stream(), Stream.of(more)).toList();
    }
}
