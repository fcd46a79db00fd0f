package gateway.policies.message.xslt;

import com.google.auto.service.AutoService;
import gateway.http.HeaderText;
import gateway.json.ConfigNode;
import gateway.policies.message.ContentChange;
import gateway.policies.message.MessageScope;
import gateway.policies.message.SizedWork;
import gateway.policies.message.xml.XmlContent;
import gateway.policy.BodyUse;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Template;
import gateway.policy.TemplatePlace;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Makes other XML, text or JSON of the XML of messages by a stylesheet (XSLT 1.0, 2.0, 3.0).
///
/// @param parameters by their names in the stylesheet
/// @param output what `Content-Type` is to be; empty text: as the stylesheet says
/// @param mostBytes of what comes of it
/// @param timeout of one transformation
/// @param memory bytes that one may ask for, given back or not
public record Xslt(
        MessageScope scope,
        StylesheetSources sources,
        Map<String, Template> parameters,
        String output,
        long mostBytes,
        Duration timeout,
        long memory)
        implements PolicySpec {
    private static final int MOST_PARAMETERS = 100;
    private static final long LEAST_MEMORY = 1 << 20;
    private static final long USUAL_MEMORY = 128 << 20;
    private static final long MOST_MEMORY = 1 << 30;

    public Xslt {
        parameters = Map.copyOf(parameters);
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        Stylesheet stylesheet = sources.stylesheet(services);
        stylesheet.requireParameters(parameters.keySet());
        var messages = new StylesheetMessages(placement.api() + '/' + placement.step(), services.clock());
        var work = new SizedWork(services.workers(), 0); // whatever its size
        return new ContentChange(scope.on(), scope.types(), new StylesheetChange(this, stylesheet, messages, work));
    }

    @Override
    public BodyUse bodyUse() {
        return scope.bodyUse();
    }

    @Override
    public boolean callsOut(Services services) {
        return true; // it burns CPU
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}._-]{0,255}");

        /// What is a name looks so.
        private static final Pattern NAMES =
                Pattern.compile("[^\\x00-@\\[-^`{-\\x7f][^\\x00-,/:-@\\[-^`{-\\x7f]{0,255}");

        private static final Pattern OUTPUT = Pattern.compile(
                "[A-Za-z0-9!#$&^_.+-]{1,60}/[A-Za-z0-9!#$&^_.+-]{1,60}( *; *[A-Za-z0-9!#$&^_.+-]+=(\"[^\"\\\\]*\"|[A-Za-z0-9!#$&^_.+:-]+))*");

        @Override
        public String name() {
            return "xslt";
        }

        @Override
        public Stage stage() {
            return Stage.TRANSFORM;
        }

        @Override
        public Xslt read(ConfigNode node) {
            return new Xslt(
                    MessageScope.read(node, XmlContent.TYPES),
                    StylesheetSources.read(node),
                    parameters(node.field(
                            "parameters", "values for the parameters of the stylesheet; they may hold placeholders")),
                    output(node.field("output", "`Content-Type` of what comes of it")),
                    node.field("maxOutput", "most bytes of what comes of it").size(1024, 16 << 20, 4 << 20),
                    node.field("timeout", "most time that one transformation takes")
                            .duration(Duration.ofMillis(10), Duration.ofSeconds(30), Duration.ofSeconds(5)),
                    node.field("memory", "that one transformation may ask for, given back or not")
                            .size(LEAST_MEMORY, MOST_MEMORY, USUAL_MEMORY));
        }

        private static Map<String, Template> parameters(ConfigNode node) {
            Map<String, Template> parameters = node.namesLike(NAMES)
                    .map(each -> Template.read(each.form("text with placeholders"), TemplatePlace.VALUE));
            node.extent(0, MOST_PARAMETERS);
            if (parameters.size() > MOST_PARAMETERS)
                node.problem("expected at most " + MOST_PARAMETERS + " values, got " + parameters.size());
            for (String each : parameters.keySet()) {
                if (!NAME.matcher(each).matches()) node.problem("expected names of parameters, got \"" + each + '"');
            }
            return parameters;
        }

        private static String output(ConfigNode node) {
            Optional<String> output = node.unlessGiven("as `xsl:output` says")
                    .form("media type")
                    .like(OUTPUT)
                    .optionalText();
            if (output.isEmpty()) return "";
            String type = output.get();
            if (!OUTPUT.matcher(type).matches()
                    || !HeaderText.isValue(type)
                    || !XmlContent.charsetOf(type).map(XmlContent::isKnown).orElse(true)) {
                node.expected("a media type such as text/xml; charset=utf-8 with a charset of UTF-8, UTF-16,"
                        + " ISO-8859-1 or US-ASCII");
            }
            return type;
        }
    }
}
