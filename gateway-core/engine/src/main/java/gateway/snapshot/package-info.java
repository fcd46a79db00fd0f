/// The whole configuration at one moment, compiled, immutable and swapped at once.
@NullMarked
package gateway.snapshot;

import org.jspecify.annotations.NullMarked;
