/// Answers that are kept and given again: a shared cache by RFC 9111.
@NullMarked
package gateway.policies.cache;

import org.jspecify.annotations.NullMarked;
