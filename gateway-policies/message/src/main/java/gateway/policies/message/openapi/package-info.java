/// Messages by an OpenAPI document.
@NullMarked
package gateway.policies.message.openapi;

import org.jspecify.annotations.NullMarked;
