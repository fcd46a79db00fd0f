/// JSON that is changed on its way.
@NullMarked
package gateway.policies.message.transform;

import org.jspecify.annotations.NullMarked;
