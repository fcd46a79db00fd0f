/// The process: what its parts are and how they are put together.
@NullMarked
package gateway.app;

import org.jspecify.annotations.NullMarked;
