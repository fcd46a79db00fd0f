package gateway.policies.script;

import com.google.auto.service.AutoService;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.policies.script.groovy.GroovyScripts;
import gateway.policies.script.javascript.JavaScript;
import gateway.policies.script.run.ScriptBody;
import gateway.policies.script.run.ScriptBounds;
import gateway.policies.script.run.ScriptProgram;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.RunsOn;
import gateway.policy.Services;
import gateway.policy.Stage;
import java.util.List;

/// Runs a script for each message, which looks at it, changes it or ends it.
///
/// @param maxBody bytes, once unpacked
/// @param checks whether it stands where messages are checked: one whose body it cannot see does not pass
public record MessageScript(
        ScriptLanguage language,
        ScriptSource source,
        ScriptedMessages on,
        ScriptBody body,
        long maxBody,
        ScriptBounds bounds,
        boolean checks)
        implements PolicySpec {
    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        return ScriptPolicy.of(this, program(services), placement, services);
    }

    private ScriptProgram program(Services services) {
        String text = source.text(services);
        return switch (language) {
            case JAVASCRIPT -> JavaScript.compile(text, services);
            case GROOVY -> {
                if (!services.groovyScripts())
                    throw new InvalidConfigException(
                            "/language", "expected \"javascript\": \"groovy\" needs GATEWAY_SCRIPTS=groovy");
                yield GroovyScripts.compile(text, services);
            }
        };
    }

    /// What scripts ask for is counted for threads of the platform alone.
    @Override
    public RunsOn runsOn() {
        return RunsOn.WORKER;
    }

    @Override
    public BodyUse bodyUse() {
        if (body == ScriptBody.NONE) return BodyUse.NONE;
        BodyAccess held = BodyAccess.plain(maxBody);
        return new BodyUse(on.areRequests() ? held : BodyAccess.NONE, on.areResponses() ? held : BodyAccess.NONE);
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "script";
        }

        @Override
        public Stage stage() {
            return Stage.TRANSFORM;
        }

        @Override
        public List<Stage> stages() {
            return List.of(Stage.TRANSFORM, Stage.GUARD, Stage.AUTHORIZE, Stage.VALIDATE);
        }

        @Override
        public MessageScript read(ConfigNode node) {
            return new MessageScript(
                    node.field("language", "what it is written in; `groovy` needs `GATEWAY_SCRIPTS=groovy`")
                            .choice(ScriptLanguage.JAVASCRIPT),
                    ScriptSource.read(
                            node.field("source", "the script, at most 65,536 characters, or `{\"resource\": \"id\"}`")),
                    node.field("on", "which messages it is run for").choice(ScriptedMessages.REQUEST),
                    node.field("body", "what it reads of the body").choice(ScriptBody.NONE),
                    node.field("maxBody", "most bytes of a body that it reads, once unpacked")
                            .size(1 << 10, 1 << 20, 1 << 20),
                    ScriptBounds.read(node),
                    checks(node.field("stage")));
        }

        private static boolean checks(ConfigNode stage) {
            return stage.json()
                    .filter(json -> !json.stringValue("").equals(ConfigNode.word(Stage.TRANSFORM)))
                    .isPresent();
        }
    }
}
