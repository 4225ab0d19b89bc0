/** `kedge serve`: the engine of a directory for clients of this access, until it is told to end. */
import type { StartedServer } from "@kedge/host/server";
import { FailureError } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { onEndSignal } from "../end-signals.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSettings } from "../opening/open-settings.ts";
import { type StartOutcome, startKedge } from "../opening/start-kedge.ts";
import { readSurroundings, type Surroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeResult } from "../output.ts";
import { version } from "../start/build-facts.ts";
import { keepServerSmall } from "../start/small-server.ts";

export async function runServeCommand([extra]: readonly string[], flags: Flags): Promise<number> {
  if (extra !== undefined) {
    writeDiagnostic(`kedge: kedge serve does not accept ${JSON.stringify(extra)}. It serves the current directory.`);
    return exitCodes.usage;
  }
  if ((flags.tlsCert === undefined) !== (flags.tlsKey === undefined)) {
    writeDiagnostic("kedge: --tls-cert and --tls-key must be used together.");
    return exitCodes.usage;
  }
  const server = await start(flags, readSurroundings());
  if (server === undefined) return exitCodes.error;
  const ending = Promise.withResolvers<void>();
  using _signals = onEndSignal(() => ending.resolve());
  for (const warning of server.warnings) writeDiagnostic(`kedge: ${warning}`);
  keepServerSmall();
  const { url, token } = server;
  writeResult(flags.json ? `${JSON.stringify({ url, token })}\n` : readyText(server));
  await ending.promise;
  await server.close();
  return exitCodes.success;
}

function readyText({ url, token }: StartedServer): string {
  return `Serving ${process.cwd()} at ${url}\ntoken: ${token}\nPress Ctrl+C to stop.\n`;
}

async function start(flags: Flags, surroundings: Surroundings): Promise<StartedServer | undefined> {
  const opened = await openSettings(flags, surroundings);
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return undefined;
  }
  const { home, project, configuration } = opened;
  const { environment } = surroundings;
  const { port = configuration.server.port, hostname, tlsCert, tlsKey, scope } = flags;
  const password = environment["KEDGE_SERVER_PASSWORD"];
  // Loaded here, because no other command needs any of it.
  const { hostAccess, placeOf, startServer } = await import("@kedge/host/server");
  try {
    return await startServer({
      ...configuration.server,
      ...hostAccess({ home: home.directory, environment, now: Date.now }),
      directory: project.cwd,
      kedgeVersion: version,
      ...(port !== undefined && { port }),
      ...(hostname !== undefined && { hostname }),
      ...(tlsCert !== undefined && tlsKey !== undefined && { tls: { certPath: tlsCert, keyPath: tlsKey } }),
      ...(flags.insecure && { isInsecure: true }),
      ...(flags.noAuth && { isDoorOpen: true }),
      ...(password !== undefined && password !== "" && { password }),
      ...(scope !== undefined && { tokenScope: scope }),
      openPlace: async (directory) => {
        const started = await startPlace(directory, flags, surroundings);
        return started.ok ? { ok: true, place: placeOf(started.started.kedge) } : started;
      },
      onBug: (error) => writeDiagnostic(`kedge: unexpected error: ${error instanceof Error ? error.message : error}`),
      onNotice: (sentence) => writeDiagnostic(`kedge: ${sentence}`),
    });
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    writeDiagnostic(failureText(error.failure));
    return undefined;
  }
}

/** Questions go to the clients; there is nobody here to ask. */
function startPlace(directory: string, flags: Flags, surroundings: Surroundings): Promise<StartOutcome> {
  return startKedge(
    flags,
    { ...surroundings, cwd: directory },
    { interactive: true, isEmbedded: true, app: "server", mcpServers: [] },
  );
}
