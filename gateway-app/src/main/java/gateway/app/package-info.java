/// The process: settings, commands and the composition root that wires everything.
@NullMarked
package gateway.app;

import org.jspecify.annotations.NullMarked;
