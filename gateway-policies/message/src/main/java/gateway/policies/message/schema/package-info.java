/// JSON Schema, drafts 4 to 2020-12: compiled when a definition is, and evaluated within a bound.
@NullMarked
package gateway.policies.message.schema;

import org.jspecify.annotations.NullMarked;
