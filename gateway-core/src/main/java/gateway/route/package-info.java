/// Which API serves a request: host, path and method.
@NullMarked
package gateway.route;

import org.jspecify.annotations.NullMarked;
