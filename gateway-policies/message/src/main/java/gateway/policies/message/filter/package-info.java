/// Rules that look for what messages must not hold: literals in one pass first, then expressions in linear time.
@NullMarked
package gateway.policies.message.filter;

import org.jspecify.annotations.NullMarked;
