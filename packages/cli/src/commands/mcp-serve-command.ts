/** `kedge mcp serve`: kedge's tools and a tool for prompts, for MCP clients over standard streams or HTTP. */
import { createCallModel, type ServeMcpParts, serveMcpOverHttp, serveMcpOverStdio } from "@kedge/host/mcp-serve";
import { FailureError } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { onEndSignal } from "../end-signals.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { type Started, startKedge } from "../opening/start-kedge.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { version } from "../start/build-facts.ts";
import { mcpServeTexts } from "../texts/servers.ts";

export async function runMcpServeCommand([extra]: readonly string[], flags: Flags): Promise<number> {
  if (extra !== undefined) return usage(mcpServeTexts.doesNotAccept(JSON.stringify(extra)));
  const isHttp = flags.port !== undefined || flags.hostname !== undefined;
  if (!isHttp && process.stdin.isTTY) return usage(mcpServeTexts.startedByClient);
  // Whatever a package prints must not get between the messages.
  console.log = console.info = console.debug = console.error;
  const surroundings = readSurroundings();
  const callModel = createCallModel();
  const outcome = await startKedge(flags, surroundings, {
    ...{ interactive: true, isEmbedded: true, app: "server", addModels: callModel.beside },
  });
  if (!outcome.ok) {
    writeDiagnostic(failureText(outcome.failure));
    return outcome.isUsage ? exitCodes.usage : exitCodes.error;
  }
  const { started } = outcome;
  const { kedge, mode, runOptions } = started;
  const parts: ServeMcpParts = {
    ...{ client: kedge.client, engine: kedge.engine, callModel, version, mode, runOptions, now: Date.now },
    onNotice: writeNotice,
  };
  const ending = new AbortController();
  using _signals = onEndSignal(() => ending.abort());
  try {
    if (isHttp) await serveHttp(parts, { started, flags, signal: ending.signal });
    else await serveMcpOverStdio(parts, { input: process.stdin, output: process.stdout, signal: ending.signal });
    return exitCodes.success;
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    writeDiagnostic(failureText(error.failure));
    return exitCodes.error;
  } finally {
    await kedge.close();
  }
}

type HttpServing = { readonly started: Started; readonly flags: Flags; readonly signal: AbortSignal };

async function serveHttp(parts: ServeMcpParts, { started, flags, signal }: HttpServing): Promise<void> {
  const { port, hostname, tlsCert, tlsKey } = flags;
  const { environment } = readSurroundings();
  const server = await serveMcpOverHttp(parts, {
    ...started.configuration.server,
    ...{ home: started.home, directory: started.cwd, environment, port: port ?? 0 },
    ...(hostname !== undefined && { hostname }),
    ...(tlsCert !== undefined && tlsKey !== undefined && { tls: { certPath: tlsCert, keyPath: tlsKey } }),
    ...(flags.insecure && { isInsecure: true }),
    ...(flags.noAuth && { isDoorOpen: true }),
    onBug: (error) => writeNotice(mcpServeTexts.unexpected(error instanceof Error ? error.message : String(error))),
  });
  for (const warning of server.warnings) writeNotice(warning);
  const { url, token } = server;
  writeResult(flags.json ? `${JSON.stringify({ url, token })}\n` : mcpServeTexts.ready(url, token));
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  await server.close();
}

function usage(sentence: string): number {
  writeNotice(sentence);
  return exitCodes.usage;
}
