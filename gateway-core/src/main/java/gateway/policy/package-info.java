/// What a policy is: how it is read, compiled and asked.
@NullMarked
package gateway.policy;

import org.jspecify.annotations.NullMarked;
