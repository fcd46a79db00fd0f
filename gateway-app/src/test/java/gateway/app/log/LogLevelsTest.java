package gateway.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import gateway.app.log.LogLevels.Named;
import org.junit.jupiter.api.Test;

final class LogLevelsTest {
    private final LoggerContext context = new LoggerContext();

    @Test
    void a_level_holds_for_what_is_below_until_it_is_set_back() {
        context.getLogger("ROOT").setLevel(Level.INFO);
        context.getLogger("gateway.app.redis").setLevel(Level.WARN);
        context.getLogger("gateway.app.redis.CurrentConnections");
        var levels = new LogLevels(context);

        var changed = levels.set("gateway.app", LogLevel.DEBUG);
        var below = levels.find("gateway.app.redis.CurrentConnections");
        levels.set("gateway.app.redis", LogLevel.TRACE);
        var traced = levels.find("gateway.app.redis.CurrentConnections");
        levels.reset("gateway.app.redis");
        levels.reset("gateway.app");

        assertThat(changed).contains(new Named("gateway.app", LogLevel.DEBUG, LogLevel.INFO));
        assertThat(below).contains(new Named("gateway.app.redis.CurrentConnections", LogLevel.WARN, LogLevel.WARN));
        assertThat(traced).contains(new Named("gateway.app.redis.CurrentConnections", LogLevel.TRACE, LogLevel.WARN));
        assertThat(levels.all()).allMatch(logger -> logger.level() == logger.configured());
    }

    @Test
    void the_root_is_known_by_either_case_and_set_back_too() {
        context.getLogger("ROOT").setLevel(Level.INFO);
        var levels = new LogLevels(context);

        assertThat(levels.set("root", LogLevel.ERROR)).contains(new Named("ROOT", LogLevel.ERROR, LogLevel.INFO));
        assertThat(levels.reset("ROOT")).contains(new Named("ROOT", LogLevel.INFO, LogLevel.INFO));
    }

    @Test
    void a_name_that_nothing_logs_under_is_not_made_up() {
        var levels = new LogLevels(context);

        assertThat(levels.set("gatway", LogLevel.DEBUG)).isEmpty();
        assertThat(levels.find("gatway")).isEmpty();
    }

    @Test
    void what_would_write_credentials_stays_off_and_cannot_be_turned_on() {
        SilencedLoggers.silence(context);
        var levels = new LogLevels(context);

        levels.set("ROOT", LogLevel.TRACE);
        var refused = levels.set("io.lettuce.core.protocol.CommandEncoder", LogLevel.TRACE);

        assertThat(refused).isEmpty();
        assertThat(context.getLogger("io.lettuce.core.protocol.CommandEncoder").isErrorEnabled())
                .isFalse();
        assertThat(context.getLogger("org.apache.hc.client5.http.headers").isErrorEnabled())
                .isFalse();
    }
}
