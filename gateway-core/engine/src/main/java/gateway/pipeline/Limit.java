package gateway.pipeline;

import gateway.policy.Condition;
import gateway.policy.LimitPolicy;
import gateway.policy.OnOutage;
import gateway.service.StepMeter;

/// One limit policy of a limit step.
record Limit(String name, LimitPolicy policy, Condition when, OnOutage onOutage, StepMeter meter) {}
