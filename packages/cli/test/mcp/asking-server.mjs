/** A server whose tool wants a page to be opened first, and says what it was answered. The page is its argument. */
import { createInterface } from "node:readline";

const [, , url] = process.argv;
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const tools = [{ name: "connect", description: "Connects an account", inputSchema: { type: "object" } }];
let call;

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, result } = JSON.parse(line);
  if (method === "initialize")
    send({
      id,
      result: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "asking", version: "1.0.0" },
      },
    });
  else if (method === "tools/list") send({ id, result: { tools } });
  else if (method === "tools/call") {
    call = id;
    const message = "Connect \u001b[31myour account.";
    send({ id: "page", method: "elicitation/create", params: { mode: "url", message, url, elicitationId: "1" } });
  } else if (id === "page") send({ id: call, result: { content: [{ type: "text", text: `told ${result.action}` }] } });
  else if (id !== undefined) send({ id, error: { code: -32601, message: "unknown" } });
});
