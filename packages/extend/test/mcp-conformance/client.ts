/**
 * The client of the conformance suite: our connection, our sign-in and our lists against the server of a scenario. What
 * the suite decides for the person is here: every question is answered with yes, and every tool is called.
 */
import { authorizeServer, type KeptSignIn, type SignInStore } from "../../src/mcp/authorization/index.ts";
import { connectAndList } from "../../src/mcp/connection/connect-and-list.ts";
import type { Offers } from "../../src/mcp/connection/read-offers.ts";
import { type ConnectParts, createServerLog, type McpConnection, type McpServer } from "../../src/mcp/index.ts";

type Context = {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: { readonly [name: string]: unknown } }[];
};

const url = process.argv.at(-1) ?? "";
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as Context;
const log = createServerLog(Date.now);
const ending = new AbortController();

const server: McpServer = {
  name: "conformance",
  scope: "user",
  file: "test",
  transport: { type: "http", url, headers: {} },
  oauth: {
    // The suite knows this address as a document that describes a client.
    clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
    ...(context.client_id !== undefined && { clientId: context.client_id }),
    ...(context.client_secret !== undefined && { clientSecret: context.client_secret }),
  },
  signature: url,
};

function memorySignIns(): SignInStore {
  const kept = new Map<string, KeptSignIn>();
  return {
    read: (serverUrl) => kept.get(serverUrl),
    write: (serverUrl, signedIn) =>
      void (signedIn === undefined ? kept.delete(serverUrl) : kept.set(serverUrl, signedIn)),
    whileLocked: (_serverUrl, work) => work(),
  };
}

const signIns = memorySignIns();
const parts: ConnectParts = {
  clientInfo: { name: "kedge", version: "0.1.0" },
  environment: () => ({}),
  cwd: process.cwd(),
  refuseAddress: () => undefined,
  log,
  authorize: async ({ name, oauth }, fetch) =>
    authorizeServer({
      ...{ name, serverUrl: url, signIns, fetch, now: Date.now },
      settings: oauth || {},
      randomWord: () => crypto.randomUUID(),
      interaction: {
        signal: ending.signal,
        consent: async () => true,
        // A browser of somebody who is signed in already.
        present: async (address) => void (await (await globalThis.fetch(address)).text()),
      },
    }),
  elicit: async () => ({ action: "accept", content: {} }),
};

const connected = await connectAndList(server, parts, ending.signal);
if (connected.ok) {
  const { connection, offers } = connected;
  await useEverything(connection, offers);
  await connection.close();
} else console.error(`${scenario}: ${connected.reason}: ${connected.error}\n${log.text()}`);
process.exit(connected.ok ? 0 : 1);

async function useEverything({ client }: McpConnection, { tools, resources, prompts }: Offers): Promise<void> {
  for (const { name, inputSchema } of tools) {
    const given = context.toolCalls?.find((call) => call.name === name)?.arguments;
    await attempt(name, () => client.callTool({ name, arguments: { ...(given ?? sampleOf(inputSchema)) } }));
  }
  for (const { uri } of resources) await attempt(uri, () => client.readResource({ uri }));
  for (const { name } of prompts) await attempt(name, () => client.getPrompt({ name }));
}

/** One that fails keeps the others from nothing. */
async function attempt(name: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(`${scenario}: ${name}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

function sampleOf(schema: { readonly properties?: unknown; readonly required?: unknown }): object {
  const properties = (schema.properties ?? {}) as { readonly [name: string]: { readonly type?: string } };
  const samples: { readonly [type: string]: unknown } = { string: "text", number: 1, integer: 1, boolean: true };
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.fromEntries(required.map((name) => [name, samples[properties[name]?.type ?? ""] ?? {}]));
}
