package gateway.policies.message.xslt;

import net.sf.saxon.lib.Logger;

/// Takes what Saxon would write to standard error.
final class Silence extends Logger {
    @Override
    public void println(String message, int severity) {}
}
