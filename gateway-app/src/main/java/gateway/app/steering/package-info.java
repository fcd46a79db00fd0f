/// How requests are led to an upstream's targets, and kept from those that are not well.
@NullMarked
package gateway.app.steering;

import org.jspecify.annotations.NullMarked;
