package gateway.policies.identity;

import java.util.List;
import java.util.Optional;

/// Whose keys may sign the assertions of an issuer.
sealed interface SamlSigners permits StoredSigners, FetchedSigners {
    /// Those at hand; waits for them when there are none yet.
    ///
    /// @throws gateway.service.DependencyException when none can be had
    List<SamlSigner> current();

    /// For an assertion that none of `seen` has signed: some that came since, or are fetched for it, which all who need
    /// them wait for. Empty where there are no newer ones, and none may be fetched so short a while after the last.
    ///
    /// @param seen those that the assertion was judged by
    /// @throws gateway.service.DependencyException when it cannot be found out
    Optional<List<SamlSigner>> newer(List<SamlSigner> seen);
}
