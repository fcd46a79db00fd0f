package gateway.app;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/// The gateway's version, from the jar's manifest.
final class VersionText implements IVersionProvider {
    static String version() {
        return Optional.ofNullable(VersionText.class.getPackage().getImplementationVersion())
                .orElse("development");
    }

    @Override
    public String[] getVersion() {
        return new String[] {"gateway " + version(), "Java " + Runtime.version()};
    }
}
