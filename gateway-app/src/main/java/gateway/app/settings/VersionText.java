package gateway.app.settings;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/// The gateway's version, from the jar's manifest.
public final class VersionText implements IVersionProvider {
    public static String version() {
        return Optional.ofNullable(VersionText.class.getPackage().getImplementationVersion())
                .orElse("development");
    }

    @Override
    public String[] getVersion() {
        return new String[] {"gateway " + version(), "Java " + Runtime.version()};
    }
}
