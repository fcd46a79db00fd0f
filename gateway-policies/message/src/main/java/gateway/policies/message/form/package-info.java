/// Forms in several parts, taken apart.
@NullMarked
package gateway.policies.message.form;

import org.jspecify.annotations.NullMarked;
