/// What every protocol needs of IO threads and their sockets.
@NullMarked
package gateway.app.io;

import org.jspecify.annotations.NullMarked;
