package gateway.policies.script;

import gateway.config.PolicyModuleContract;

/// The policies of this module: what all owe, a page whose example holds, and a test.
final class ScriptPoliciesTest extends PolicyModuleContract {}
