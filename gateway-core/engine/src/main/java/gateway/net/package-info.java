/// Networks that addresses lie in, and how servers are spoken to.
@NullMarked
package gateway.net;

import org.jspecify.annotations.NullMarked;
