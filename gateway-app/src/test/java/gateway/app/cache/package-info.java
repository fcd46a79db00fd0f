/// Whole gateways that keep answers.
@NullMarked
package gateway.app.cache;

import org.jspecify.annotations.NullMarked;
