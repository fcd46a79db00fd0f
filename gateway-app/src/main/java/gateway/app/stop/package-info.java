/// How parts of the gateway end.
@NullMarked
package gateway.app.stop;

import org.jspecify.annotations.NullMarked;
