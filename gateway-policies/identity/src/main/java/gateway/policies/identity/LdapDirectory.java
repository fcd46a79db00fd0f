package gateway.policies.identity;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.RDN;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import gateway.http.Secret;
import gateway.service.DependencyException;
import gateway.service.Served;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Asks a directory about users, by connections that are kept while a snapshot has it.
final class LdapDirectory implements Served {
    private static final int MOST_GROUPS = 64;
    private static final Pattern FORMAT = Pattern.compile("\\p{Cf}"); // of no meaning (RFC 4518 §2.2)
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private final LdapServers servers;
    private final LdapUsers users;
    private final Optional<Own> own;
    private final ReentrantLock lock = new ReentrantLock(); // never held while a server is waited for
    private @Nullable List<LdapPools> pools;
    private boolean retired;

    /// The gateway's own account.
    record Own(String dn, Secret password) {}

    /// By it equal policies find the same.
    record Id(LdapServers servers, LdapUsers users, Optional<Own> own) {}

    LdapDirectory(Id id) {
        this.servers = id.servers();
        this.users = id.users();
        this.own = id.own();
    }

    @Override
    public void served() {
        lock.lock();
        try {
            retired = false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void retired() {
        List<LdapPools> closing;
        lock.lock();
        try {
            closing = pools == null ? List.of() : pools;
            pools = null;
            retired = true;
        } finally {
            lock.unlock();
        }
        closing.forEach(LdapPools::close);
    }

    /// @param password not empty: a bind without one says nothing of the user (RFC 4513 §5.1.2)
    /// @throws DependencyException when no server says
    LdapAnswer ask(String user, String password) {
        if (password.isEmpty()) return new LdapAnswer.Wrong("no password");
        boolean once;
        List<LdapPools> use;
        lock.lock();
        try {
            once = retired;
            if (once) use = LdapPools.of(servers, own);
            else if (pools == null) use = pools = LdapPools.of(servers, own);
            else use = pools;
        } finally {
            lock.unlock();
        }
        try {
            return askFirst(use, user, password);
        } finally {
            if (once) use.forEach(LdapPools::close); // of a request that outlived its snapshot
        }
    }

    private LdapAnswer askFirst(List<LdapPools> use, String user, String password) {
        @Nullable LDAPException last = null;
        for (LdapPools each : use) {
            try {
                return askOne(each, user, password);
            } catch (LDAPException e) {
                last = e;
            }
        }
        String why = last == null ? "no server" : last.getResultCode().getName();
        throw new DependencyException(servers.name(), why, last == null ? new IllegalStateException(why) : last);
    }

    private LdapAnswer askOne(LdapPools pool, String user, String password) throws LDAPException {
        Optional<String> dn =
                users.dn().isPresent() ? Optional.of(direct(users.dn().get(), user)) : find(pool, user);
        if (dn.isEmpty()) return new LdapAnswer.Wrong("no such user, or several");
        Optional<String> flaw = bind(pool, new SimpleBindRequest(dn.get(), password, PasswordPolicy.asked()));
        if (flaw.isPresent()) return new LdapAnswer.Wrong(flaw.get());
        List<String> groups = new ArrayList<>();
        if (users.groups().isPresent()) {
            LdapUsers.Groups asked = users.groups().get();
            groups.addAll(groups(pool, asked, user, dn.get()));
            if (!asked.require().isEmpty() && asked.require().stream().noneMatch(groups::contains)) {
                return new LdapAnswer.Wrong("in none of the groups");
            }
        }
        String caller = users.dn().isPresent() ? named(users.dn().get(), user) : dn.get();
        return LdapAnswer.Right.of(user, caller, groups);
    }

    /// The template with the user's name as a value of RFC 4514.
    private static String direct(String template, String user) throws LDAPException {
        String value = new RDN("x", user).toMinimallyEncodedString().substring(2);
        return new DN(template.replace(LdapUsers.USER, value)).toString();
    }

    /// What its caller is called whom nobody has searched for. Directories take a name in several writings (RFC 4518):
    /// whoever bears it is one caller, with one limit.
    private static String named(String template, String user) throws LDAPException {
        String text = Normalizer.normalize(user, Normalizer.Form.NFKC);
        String one =
                FORMAT.matcher(text).replaceAll("").toLowerCase(Locale.ROOT).strip();
        return direct(template, BLANKS.matcher(one).replaceAll(" "));
    }

    private Optional<String> find(LdapPools pool, String user) throws LDAPException {
        Filter filter = Filter.create(users.filter().replace(LdapUsers.USER, Filter.encodeValue(user)));
        try {
            var found = search(pool, users.base(), filter, 2, SearchRequest.NO_ATTRIBUTES);
            return found.size() == 1 ? Optional.of(found.getFirst().getDN()) : Optional.empty();
        } catch (LDAPSearchException e) {
            if (isTooMany(e)) return Optional.empty(); // several, of which the server tells no more than it does
            throw e;
        }
    }

    private List<String> groups(LdapPools pool, LdapUsers.Groups asked, String user, String dn) throws LDAPException {
        // One pass over the template: a name with {dn} in it is a name.
        var text = new StringBuilder();
        String rest = asked.filter();
        while (!rest.isEmpty()) {
            if (rest.startsWith(LdapUsers.USER)) {
                text.append(Filter.encodeValue(user));
                rest = rest.substring(LdapUsers.USER.length());
            } else if (rest.startsWith(LdapUsers.DN)) {
                text.append(Filter.encodeValue(dn));
                rest = rest.substring(LdapUsers.DN.length());
            } else {
                text.append(rest.charAt(0));
                rest = rest.substring(1);
            }
        }
        var names = new ArrayList<String>();
        for (SearchResultEntry each : some(pool, asked, Filter.create(text.toString()))) {
            String name = each.getAttributeValue(asked.attribute());
            if (name != null) names.add(name);
        }
        return names;
    }

    /// Where there are too many, as many as there may be.
    private List<SearchResultEntry> some(LdapPools pool, LdapUsers.Groups asked, Filter filter) throws LDAPException {
        try {
            return search(pool, asked.base(), filter, MOST_GROUPS, asked.attribute());
        } catch (LDAPSearchException e) {
            if (isTooMany(e)) return e.getSearchEntries();
            throw e;
        }
    }

    private static boolean isTooMany(LDAPSearchException e) {
        return e.getResultCode().equals(ResultCode.SIZE_LIMIT_EXCEEDED);
    }

    private List<SearchResultEntry> search(LdapPools pool, String base, Filter filter, int most, String attribute)
            throws LDAPException {
        var request = new SearchRequest(base, SearchScope.SUB, filter, attribute);
        request.setSizeLimit(most);
        request.setFollowReferrals(false);
        request.setResponseTimeoutMillis(servers.timeout().toMillis());
        return pool.searches().search(request).getSearchEntries();
    }

    /// Why the user is not let in; empty when that is not so.
    private Optional<String> bind(LdapPools pool, SimpleBindRequest request) throws LDAPException {
        request.setResponseTimeoutMillis(servers.timeout().toMillis());
        LDAPConnection connection = pool.binds().getConnection();
        try {
            return bound(connection, request, pool);
        } catch (LDAPException e) {
            pool.binds().releaseDefunctConnection(connection);
            if (!e.getResultCode().equals(ResultCode.SERVER_DOWN)) throw e;
        }
        // It was closed since its last use: a new one tells whether the server is there.
        LDAPConnection second = pool.binds().getConnection();
        try {
            return bound(second, request, pool);
        } catch (LDAPException e) {
            pool.binds().releaseDefunctConnection(second);
            throw e;
        }
    }

    private static Optional<String> bound(LDAPConnection connection, SimpleBindRequest request, LdapPools pool)
            throws LDAPException {
        try {
            Optional<String> flaw = PasswordPolicy.flaw(connection.bind(request));
            pool.binds().releaseConnection(connection);
            return flaw;
        } catch (LDAPException e) {
            if (!LdapPools.isAboutTheUser(e.getResultCode())) throw e;
            pool.binds().releaseConnection(connection);
            return Optional.of(e.getResultCode().getName());
        }
    }
}
