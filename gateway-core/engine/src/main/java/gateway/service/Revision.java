package gateway.service;

import java.time.Instant;
import java.util.List;

/// One numbered change of the definitions.
///
/// @param number counts from 1 without gaps
/// @param author which token or source made it: `token:ab12…`, `folder`, `bootstrap`
/// @param note what was done in words, such as `PUT apis/orders`
public record Revision(long number, Instant at, String author, String note, List<DefinitionChange> changes) {
    public Revision {
        changes = List.copyOf(changes);
    }
}
