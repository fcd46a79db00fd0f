/// What a client connection's bytes must be before the HTTP parser sees them (RFC 9112), and how a bad one is
/// turned away.
@NullMarked
package gateway.app.server.wire;

import org.jspecify.annotations.NullMarked;
