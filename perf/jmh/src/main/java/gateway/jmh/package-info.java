/// Microbenchmarks of the request path.
@NullMarked
package gateway.jmh;

import org.jspecify.annotations.NullMarked;
