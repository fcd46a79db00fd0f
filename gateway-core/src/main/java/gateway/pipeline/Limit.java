package gateway.pipeline;

import gateway.policy.Condition;
import gateway.policy.LimitPolicy;
import gateway.policy.OnOutage;

/// One limit policy of a limit step.
record Limit(String name, LimitPolicy policy, Condition when, OnOutage onOutage) {}
