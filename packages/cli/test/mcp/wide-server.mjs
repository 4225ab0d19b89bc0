/** A server over standard streams of the new protocol: a task that ends when a file appears, and a resource that changes. */
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const text = (words) => ({ content: [{ type: "text", text: words }] });
const task = (status, more = {}) => ({ taskId: "t1", status, pollIntervalMs: 100, ttlMs: 60_000, ...more });
const cached = { ttlMs: 0, cacheScope: "private" };
let listening;

function answer(method, params) {
  switch (method) {
    case "server/discover":
      return {
        supportedVersions: ["2026-07-28"],
        capabilities: {
          tools: {},
          resources: { subscribe: true },
          extensions: { "io.modelcontextprotocol/tasks": {} },
        },
        serverInfo: { name: "wide", version: "1" },
        ...cached,
      };
    case "tools/list":
      return { tools: ["build", "touch"].map((name) => ({ name, inputSchema: { type: "object" } })), ...cached };
    case "tools/call":
      if (params.name === "build") return { resultType: "task", ...task("working") };
      if (listening !== undefined) {
        const _meta = { "io.modelcontextprotocol/subscriptionId": listening };
        send({ method: "notifications/resources/updated", params: { uri: "board://1", _meta } });
      }
      return text(listening === undefined ? "nobody listens" : "touched");
    case "tasks/get":
      return existsSync("built") ? task("completed", { result: text("the build is green") }) : task("working");
    case "resources/list":
      return { resources: [{ uri: "board://1", name: "Board" }], ...cached };
    case "resources/templates/list":
      return { resourceTemplates: [], ...cached };
    case "resources/read":
      return { contents: [{ uri: params.uri, text: "a board" }], ...cached };
    default:
      return undefined;
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === "subscriptions/listen") {
    listening = id;
    const _meta = { "io.modelcontextprotocol/subscriptionId": id };
    const notifications = params.notifications ?? params.filter ?? {};
    return send({ method: "notifications/subscriptions/acknowledged", params: { notifications, _meta } });
  }
  const result = answer(method, params);
  if (result === undefined) return send({ id, error: { code: -32_601, message: "Method not found" } });
  send({ id, result: { resultType: "complete", ...result } });
});
