/// SOAP messages by WS-Security: users, times, signatures and encryption.
@NullMarked
package gateway.policies.message.wss;

import org.jspecify.annotations.NullMarked;
