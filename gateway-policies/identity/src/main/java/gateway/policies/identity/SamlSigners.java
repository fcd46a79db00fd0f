package gateway.policies.identity;

import java.util.List;
import java.util.Optional;

/// Whose keys may sign the assertions of an issuer.
sealed interface SamlSigners permits StoredSigners, FetchedSigners {
    /// Those at hand; waits for them when there are none yet.
    ///
    /// @throws gateway.service.DependencyException when none can be had
    List<SamlSigner> current();

    /// For an assertion that none of those has signed: some that are fetched for it, which all who need them wait for.
    /// Empty where there are no newer ones, or none may be fetched so short a while after the last.
    ///
    /// @throws gateway.service.DependencyException when it cannot be found out
    Optional<List<SamlSigner>> newer();
}
