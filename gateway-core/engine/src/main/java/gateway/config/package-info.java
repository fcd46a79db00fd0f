/// API definitions as records, and the reader that makes them from JSON.
@NullMarked
package gateway.config;

import org.jspecify.annotations.NullMarked;
