/// The cache component: entries that gateways share, kept by members of a Hazelcast cluster and reached by HTTP.
@NullMarked
package gateway.component;

import org.jspecify.annotations.NullMarked;
