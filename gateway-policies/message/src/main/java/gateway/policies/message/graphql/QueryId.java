package gateway.policies.message.graphql;

import java.util.Locale;

/// By what a request names a document that it does not carry.
///
/// @param hash whether it has to be the SHA-256 of the text, in hexadecimal digits
record QueryId(String value, boolean hash) {
    QueryId {
        if (hash) value = value.toLowerCase(Locale.ROOT);
    }
}
