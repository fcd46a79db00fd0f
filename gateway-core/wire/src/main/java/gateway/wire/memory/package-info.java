/// Budgets for the memory that is held for callers.
@NullMarked
package gateway.wire.memory;

import org.jspecify.annotations.NullMarked;
