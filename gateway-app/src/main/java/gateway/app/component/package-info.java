/// What the process of the cache component has besides the planes of a gateway: its settings, its one route, its
/// meters.
@NullMarked
package gateway.app.component;

import org.jspecify.annotations.NullMarked;
