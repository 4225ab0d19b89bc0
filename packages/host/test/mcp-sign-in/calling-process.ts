/** Calls a guarded MCP server once, with the sign-ins of a home, and prints the status. Started by the test beside it. */
import { createAuthorize } from "../../src/mcp-sign-in/authorize-servers.ts";

const [home = "", url = ""] = process.argv.slice(2);
const authorize = createAuthorize({ home, environment: { KEDGE_KEYRING: "off" }, now: Date.now });
const transport = { type: "http", url, headers: {} } as const;
const server = { name: "tracker", scope: "user", file: "test", signature: "", transport } as const;
const authorization = await authorize(server, fetch);
const token = await authorization?.authProvider.token();
// Every process has its token by now; the test lets them all go on together.
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
const headers = { authorization: `Bearer ${token}` };
const response = await authorization?.fetch(fetch)(url, { method: "POST", headers, body: "{}" });
process.stdout.write(`${response?.status}\n`);
process.exit(0);
