package gateway.policies.message.xslt;

import java.util.Set;
import net.sf.saxon.lib.EnvironmentVariableResolver;

/// An environment in which nothing is said.
final class NoVariables implements EnvironmentVariableResolver {
    @Override
    public Set<String> getAvailableEnvironmentVariables() {
        return Set.of();
    }

    @Override
    public String getEnvironmentVariable(String name) {
        return "";
    }
}
