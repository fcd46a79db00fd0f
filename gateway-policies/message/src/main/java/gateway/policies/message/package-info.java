/// What the policies that read and change bodies have in common.
@NullMarked
package gateway.policies.message;

import org.jspecify.annotations.NullMarked;
