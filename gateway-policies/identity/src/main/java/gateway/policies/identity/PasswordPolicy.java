package gateway.policies.identity;

import com.unboundid.ldap.sdk.BindResult;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.controls.PasswordExpiredControl;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10RequestControl;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10ResponseControl;
import java.util.Optional;

/// What a directory says of a password that is right, but is taken for nothing else than to be changed. The bind
/// succeeds then, and only controls beside it tell: that of draft-behera-ldap-password-policy, which has to be asked
/// for, and an older one of Netscape's, which comes by itself.
final class PasswordPolicy {
    private PasswordPolicy() {}

    /// Goes along with a bind; who does not know it passes it over.
    static Control asked() {
        return new DraftBeheraLDAPPasswordPolicy10RequestControl();
    }

    /// Why a bind that has succeeded lets nobody in; empty when it does.
    ///
    /// @throws LDAPException when the server has written what nobody can read
    static Optional<String> flaw(BindResult bound) throws LDAPException {
        if (PasswordExpiredControl.get(bound) != null) return Optional.of("the password has to be changed");
        var said = DraftBeheraLDAPPasswordPolicy10ResponseControl.get(bound);
        return said == null
                ? Optional.empty()
                : Optional.ofNullable(said.getErrorType()).map(type -> type.getName());
    }
}
