/// The demonstration: a gateway, an upstream and a caller in one process.
@NullMarked
package gateway.app.demo;

import org.jspecify.annotations.NullMarked;
