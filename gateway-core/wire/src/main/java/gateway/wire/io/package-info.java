/// IO threads: the virtual threads that they carry, buffers, deadlines, ends of connections.
@NullMarked
package gateway.wire.io;

import org.jspecify.annotations.NullMarked;
