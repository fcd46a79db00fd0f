/// The policies that come with the gateway, one file each. They do not know each other.
@NullMarked
package gateway.policies;

import org.jspecify.annotations.NullMarked;
