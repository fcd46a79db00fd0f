/// The process of the cache component: what `gateway cache` runs.
@NullMarked
package gateway.app.component;

import org.jspecify.annotations.NullMarked;
