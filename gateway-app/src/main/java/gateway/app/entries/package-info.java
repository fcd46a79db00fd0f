/// Entries that gateways share by way of the cache component.
@NullMarked
package gateway.app.entries;

import org.jspecify.annotations.NullMarked;
