/// Policies that read and change XML, and the one parser that they share.
@NullMarked
package gateway.policies.message.xml;

import org.jspecify.annotations.NullMarked;
