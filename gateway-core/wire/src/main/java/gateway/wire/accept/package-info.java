/// Connections of clients, from the socket on until their protocol takes over: who may come, whom they speak for,
/// TLS, silence.
@NullMarked
package gateway.wire.accept;

import org.jspecify.annotations.NullMarked;
