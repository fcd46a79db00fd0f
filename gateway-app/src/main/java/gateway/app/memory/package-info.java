/// The embedded stores: counters in memory, everything durable in one data folder. See `docs/stores.md`.
@NullMarked
package gateway.app.memory;

import org.jspecify.annotations.NullMarked;
