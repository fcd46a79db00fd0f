/// Which route serves a request, and the versions of an API.
@NullMarked
package gateway.route;

import org.jspecify.annotations.NullMarked;
