package gateway.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import com.google.auto.service.AutoService;

/// Sets up the operator's log in code, as text until the settings are read: reading an XML file would cost a start
/// a tenth of its CPU time. A `logback.configurationFile` property or a `logback-test.xml` on the class path has its
/// way all the same, and then settings do not change it.
@AutoService(Configurator.class)
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class LogSetup extends ContextAwareBase implements Configurator {
    static final String CONSOLE = "operator";
    private static final String[] CHATTY = {"io.undertow", "org.xnio", "org.jboss", "io.lettuce", "io.netty", "reactor"
    };

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty("logback.configurationFile") != null
                || LogSetup.class.getResource("/logback-test.xml") != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        setUp(context);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    static void setUp(LoggerContext context) {
        var encoder = new TextLines();
        encoder.setContext(context);
        encoder.start();
        var console = new ConsoleAppender<ILoggingEvent>();
        console.setName(CONSOLE);
        console.setContext(context);
        console.setEncoder(encoder);
        console.addFilter(new LibraryPace(Pace.ofOneASecond()));
        console.start();
        var root = context.getLogger("ROOT");
        root.setLevel(Level.INFO);
        root.addAppender(console);
        for (String library : CHATTY) context.getLogger(library).setLevel(Level.WARN);
    }
}
