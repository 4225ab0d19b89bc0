/** What the model says in the pictures of agents. */
import type { MockScript } from "@kedge/testing";
import { bashCall, readCall } from "@kedge/testing/screen-terminal";

const agentOrders = [
  { name: "types", description: "Find all types of prices", subagent_type: "explore" },
  { name: "totals", description: "Review how totals are rounded", subagent_type: "reviewer" },
  { name: "tests", description: "Run the tests of the cart", subagent_type: "verification" },
  { name: "docs", description: "Describe the cart in the README", subagent_type: "general" },
].map((order, index) => ({
  id: `call_${index}`,
  name: "agent",
  input: { ...order, prompt: `Part ${order.name}: ${order.description}.`, run_in_background: true },
}));

/** A session that sends out four agents, each somewhere else in its work. */
export const agentTurns: MockScript = ({ body }) => {
  const said = JSON.stringify(body);
  const isAfter = said.includes("tool_result");
  const part = /Part (\w+):/.exec(said)?.[1];
  const usage = { input: 4_180, output: 310 };
  if (said.includes("Check the cart with agents"))
    return isAfter ? { text: "Four agents are at work.", usage } : { toolCalls: agentOrders, usage };
  switch (part) {
    case "types":
      return isAfter ? { text: "Late.", delayMs: 30_000 } : { toolCalls: [readCall("src/cart.ts")], usage };
    case "totals":
      return isAfter
        ? { text: "Late.", delayMs: 30_000 }
        : {
            text: "Prices are whole cents, so a sum needs no rounding. I check whether a discount can produce a fraction.",
            toolCalls: [readCall("src/prices.ts"), readCall("src/cart.ts")],
            usage,
          };
    case "tests":
      return { toolCalls: [bashCall("npm test && sleep 30", "Runs all tests")], usage };
    default:
      return isAfter
        ? { text: "The README has a section about the cart." }
        : { toolCalls: [readCall("README.md")], usage };
  }
};
