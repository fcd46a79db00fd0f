/// Connections whose bytes are passed on as they come.
@NullMarked
package gateway.wire.tunnel;

import org.jspecify.annotations.NullMarked;
