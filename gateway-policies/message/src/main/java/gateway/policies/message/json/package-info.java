/// Policies that read and change JSON.
@NullMarked
package gateway.policies.message.json;

import org.jspecify.annotations.NullMarked;
