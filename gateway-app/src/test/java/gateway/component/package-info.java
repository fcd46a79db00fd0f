/// Tests of what no socket shows of a member.
@NullMarked
package gateway.component;

import org.jspecify.annotations.NullMarked;
