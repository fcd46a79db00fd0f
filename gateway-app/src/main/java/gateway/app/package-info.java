/// The processes, a gateway and a member of the cache component: what their parts are and how they are put together.
@NullMarked
package gateway.app;

import org.jspecify.annotations.NullMarked;
