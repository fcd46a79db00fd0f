/// The data plane: Undertow's listener, the request thread and the way of a request from socket to socket.
@NullMarked
package gateway.app.server;

import org.jspecify.annotations.NullMarked;
