/** A server over standard streams with a tool that judges calls for hooks, and one that asks its user for a name. */
import { createInterface } from "node:readline";

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const tool = (name) => ({ name, description: `Does ${name}.`, inputSchema: { type: "object" } });
const text = (words) => ({ content: [{ type: "text", text: words }] });
const form = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
let asking;

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (id === "question") return send({ id: asking, result: text(`answered ${JSON.stringify(result)}`) });
  if (id === undefined) return;
  switch (method) {
    case "initialize": {
      const capabilities = { tools: {}, resources: { subscribe: true } };
      const serverInfo = { name: "small", version: "1" };
      return send({ id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo } });
    }
    case "tools/list":
      return send({ id, result: { tools: [tool("judge"), tool("ask")] } });
    case "tools/call":
      if (params.name === "judge") return send({ id, result: text(verdict(params.arguments)) });
      asking = id;
      return send({ id: "question", method: "elicitation/create", params: { message: "Who?", requestedSchema: form } });
    default:
      return send({ id, error: { code: -32_601, message: "Method not found" } });
  }
});

function verdict({ command }) {
  if (!String(command).includes("secret")) return "fine";
  const decision = { permissionDecision: "deny", permissionDecisionReason: `judged ${command}` };
  return JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...decision } });
}
