/// Messages, or parts of them, that are signed or encrypted by JOSE.
@NullMarked
package gateway.policies.message.jose;

import org.jspecify.annotations.NullMarked;
