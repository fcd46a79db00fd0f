/// XML as JSON and JSON as XML, in and out of envelopes of SOAP.
@NullMarked
package gateway.policies.message.convert;

import org.jspecify.annotations.NullMarked;
