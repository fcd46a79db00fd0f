/// Policies that ask who calls: tokens of others, checked here or by those who gave them out.
@NullMarked
package gateway.policies.identity;

import org.jspecify.annotations.NullMarked;
