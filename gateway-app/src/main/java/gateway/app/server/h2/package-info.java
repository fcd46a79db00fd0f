/// HTTP/2 as clients speak it (RFC 9113): frames, header compression, flow control, and the bounds on all of them.
@NullMarked
package gateway.app.server.h2;

import org.jspecify.annotations.NullMarked;
