/// What policies on bodies have in common: which messages they look at, and what they say of those that do not hold.
@NullMarked
package gateway.policies.message;

import org.jspecify.annotations.NullMarked;
