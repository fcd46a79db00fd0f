/// Transformations by XSLT, and what keeps a stylesheet from reaching out of its message: the only place that sees
/// Saxon.
@NullMarked
package gateway.policies.message.xslt;

import org.jspecify.annotations.NullMarked;
