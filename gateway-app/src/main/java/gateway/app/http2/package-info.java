/// HTTP/2 as either side of a connection speaks it (RFC 9113): frames, header compression, windows, and what is
/// queued to be sent. What requests and answers do is told by those who use it.
@NullMarked
package gateway.app.http2;

import org.jspecify.annotations.NullMarked;
