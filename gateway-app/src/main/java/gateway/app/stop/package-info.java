/// How a process and its parts come to an end.
@NullMarked
package gateway.app.stop;

import org.jspecify.annotations.NullMarked;
