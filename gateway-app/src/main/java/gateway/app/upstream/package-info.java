/// The HTTP/1.1 upstream client that lives on the request's IO thread.
@NullMarked
package gateway.app.upstream;

import org.jspecify.annotations.NullMarked;
