// Your decision under test:  floorcheck check -- node adapter.mjs
//
// Replace the body of decide() by a call to your own code. What it is given and what it returns is in
// floorcheck's docs/protocol.md; requests arrive checked, and what you log goes to stderr.
import { serve } from "./floorcheck.mjs";

/**
 * @param {import("./floorcheck.mjs").DecideRequest} request
 * @returns {import("./floorcheck.mjs").DecideAnswer}
 */
function decide(request) {
  const { required_classes, certified_classes, generation, ancestry_certified } = request.contract;
  const certified = new Set(certified_classes);
  const missing_classes = [...new Set(required_classes)].filter((name) => !certified.has(name)).sort();
  if (ancestry_certified && missing_classes.length === 0) return { decision: "certified" };
  const dangerous = request.consumer_strict || request.chaining_risk || request.side_effect_cost_exceeds_refusal;
  if (request.source_recoverable || !dangerous) return { decision: "provisional" };
  return { decision: "refuse", missing_classes, generation, ancestry_certified };
}

serve({ name: "my-compactor", version: "0.1", decide });
