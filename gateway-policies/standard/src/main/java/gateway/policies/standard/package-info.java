/// Policies that need no library beyond the engine's, one a file.
@NullMarked
package gateway.policies.standard;

import org.jspecify.annotations.NullMarked;
