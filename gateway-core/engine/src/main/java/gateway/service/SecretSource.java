package gateway.service;

import gateway.http.Secret;

/// Opens secrets, wherever they are kept. Those of definitions are asked for while these are compiled, never by a
/// request.
public interface SecretSource {
    /// Has none.
    SecretSource NONE = new SecretSource() {
        @Override
        public Secret stored(String id, String document) {
            throw new SecretUnavailableException("there is no key to open stored secrets");
        }

        @Override
        public Secret variable(String name) {
            throw new SecretUnavailableException("the variable " + name + " is not set");
        }

        @Override
        public Secret file(String name) {
            throw new SecretUnavailableException("there is no folder of secrets");
        }
    };

    /// The secret that a stored document seals.
    ///
    /// @param document its JSON text
    /// @throws SecretUnavailableException when it cannot be opened
    Secret stored(String id, String document);

    /// The secret that a definition holds sealed.
    ///
    /// @param document that it was sealed for, such as `apis/orders`
    /// @throws SecretUnavailableException when it cannot be opened
    default Secret written(String document, String envelope) {
        throw new SecretUnavailableException("there is no key to open secrets of definitions");
    }

    /// The shared secret that a key's credential seals.
    ///
    /// @param id of the key
    /// @throws SecretUnavailableException when it cannot be opened
    default Secret ofKey(String id, String envelope) {
        throw new SecretUnavailableException("there is no key to open secrets of API keys");
    }

    /// The value of a variable of the process's environment.
    ///
    /// @throws SecretUnavailableException when it is not set
    Secret variable(String name);

    /// What stands in a file of the secrets folder now.
    ///
    /// @throws SecretUnavailableException when it is missing, unreadable or writable by others
    Secret file(String name);
}
