/// The request, the response and the caller as policies see them.
@NullMarked
package gateway.http;

import org.jspecify.annotations.NullMarked;
