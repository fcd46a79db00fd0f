/// Scripts that look at messages and change them.
@NullMarked
package gateway.policies.script;

import org.jspecify.annotations.NullMarked;
