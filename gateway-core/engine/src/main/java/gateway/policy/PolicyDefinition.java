package gateway.policy;

import java.util.Comparator;

/// One entry of a list of policies.
///
/// @param step its name in the pipeline, see [PolicyPlace]
/// @param type of the policy, as its entry names it
/// @param answers which answers it sees on their way back
/// @param onOutage what it does when something it depends on is away
/// @param mode what becomes of what it refuses
/// @param shared whether it counts for all APIs together
/// @param layer who laid it on requests
/// @param pointer where it stands in its document, or what stands there for it; empty when no document has it
public record PolicyDefinition(
        String step,
        String type,
        Stage stage,
        PolicySpec spec,
        Condition when,
        AnswerCondition answers,
        OnOutage onOutage,
        PolicyMode mode,
        boolean shared,
        PolicyLayer layer,
        String pointer) {
    /// By stage; within a stage those first that open messages for the others, then by layer, and within a layer as
    /// they
    /// stand.
    public static final Comparator<PolicyDefinition> ORDER = Comparator.comparing(PolicyDefinition::stage)
            .thenComparingInt(each -> each.opensForOthers() ? 0 : 1)
            .thenComparing(PolicyDefinition::layer);

    /// Whether the path of a request says what becomes of it here.
    public boolean decidesByPath() {
        return spec.decidesByPath() || when.decidesByPath();
    }

    /// In the stage UPSTREAM messages are closed behind what others have made of them, as the list says.
    private boolean opensForOthers() {
        return stage != Stage.UPSTREAM && spec.opensMessages();
    }

    /// One that stands in no document, is named by its type, counts for its API alone, and refuses on an outage.
    public PolicyDefinition(String step, Stage stage, PolicySpec spec, Condition when) {
        this(
                step,
                step,
                stage,
                spec,
                when,
                AnswerCondition.ALWAYS,
                OnOutage.DENY,
                PolicyMode.ENFORCE,
                false,
                PolicyLayer.API,
                "");
    }

    /// One of a document that says no more than its type and what that reads.
    public PolicyDefinition(String step, String type, Stage stage, PolicySpec spec, String pointer) {
        this(
                step,
                type,
                stage,
                spec,
                Condition.ALWAYS,
                AnswerCondition.ALWAYS,
                OnOutage.DENY,
                PolicyMode.ENFORCE,
                false,
                PolicyLayer.API,
                pointer);
    }

    /// The same as seen from another document.
    public PolicyDefinition at(String otherPointer) {
        return new PolicyDefinition(
                step, type, stage, spec, when, answers, onOutage, mode, shared, layer, otherPointer);
    }

    /// The same laid on requests by somebody else; what another policy brings stays so.
    public PolicyDefinition in(PolicyLayer other) {
        if (layer == PolicyLayer.BROUGHT) return this;
        return new PolicyDefinition(step, type, stage, spec, when, answers, onOutage, mode, shared, other, pointer);
    }

    /// Its place in `api`.
    public PolicyPlace placeIn(String api) {
        return new PolicyPlace(api, step, shared);
    }
}
