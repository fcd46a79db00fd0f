/// Bodies that are made of values.
@NullMarked
package gateway.policies.message.template;

import org.jspecify.annotations.NullMarked;
