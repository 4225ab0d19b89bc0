/** `kedge serve`: the engine of a directory for clients of this access, until it is told to end. */
import { join } from "node:path";
import type { HostAccess, StartedServer } from "@kedge/host/server";
import { FailureError, type Scope } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { onEndSignal } from "../end-signals.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSettings } from "../opening/open-settings.ts";
import { type StartOutcome, startKedge } from "../opening/start-kedge.ts";
import { readSurroundings, type Surroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { version } from "../start/build-facts.ts";
import { keepServerSmall } from "../start/small-server.ts";
import { serveTexts } from "../texts/servers.ts";

export async function runServeCommand([extra]: readonly string[], flags: Flags): Promise<number> {
  if (extra !== undefined) {
    writeNotice(serveTexts.doesNotAccept(JSON.stringify(extra)));
    return exitCodes.usage;
  }
  if ((flags.tlsCert === undefined) !== (flags.tlsKey === undefined)) {
    writeNotice(serveTexts.tlsTogether);
    return exitCodes.usage;
  }
  return serveUntilEnded(flags, readSurroundings(), async (server) => {
    const { url, token } = server;
    if (flags.json) writeResult(`${JSON.stringify({ url, token, ...reachOf(server, flags) })}\n`);
    else writeResult(serveTexts.serving(process.cwd(), url, token));
    if (!flags.json) await showPairing(server, flags);
    if (!flags.json) writeResult(serveTexts.stop);
  });
}

/** For programs that start a server others reach: where, and the first code. */
export function reachOf({ reach }: Pick<StartedServer, "reach">, { scope }: Flags): object {
  if (reach === undefined) return {};
  const { url, fingerprint } = reach;
  const { code, url: link, expiresAt, scope: given } = reach.pair(scope);
  return { reach: { url, fingerprint, pairing: { code, link, expiresAt, scope: given } } };
}

/** Where others reach the server, and a code to pair with; another one whenever the person presses Enter. */
export async function showPairing({ reach }: Pick<StartedServer, "reach">, { scope }: Flags): Promise<void> {
  if (reach === undefined) return;
  const { qrText } = await import("@kedge/host/reach");
  const { pairingText } = await import("./pairing-text.ts");
  const show = () => {
    const issued = reach.pair(scope);
    writeResult(pairingText(issued, qrText(issued.url)));
  };
  writeResult(serveTexts.devicesConnect(reach.url));
  show();
  if (process.stdin.isTTY !== true) return;
  writeResult(serveTexts.anotherCode);
  process.stdin.on("data", show).unref();
}

/** What the token of the one who starts the server may do is `scope`, unless it is named for itself. */
type ServeFlags = Flags & { readonly tokenScope?: Scope };

export type Ending = {
  /** As if the person had asked for it. */
  end(): void;
  /** Done before the server closes. */
  beforeEnd(act: () => void): void;
};

/** Serves the current directory until it is told to end. `onReady` tells the person where. */
export async function serveUntilEnded(
  flags: ServeFlags,
  surroundings: Surroundings,
  onReady: (server: StartedServer, ending: Ending) => Promise<void>,
): Promise<number> {
  const misuse = reachMisuse(flags);
  if (misuse !== undefined) {
    writeNotice(misuse);
    return exitCodes.usage;
  }
  const server = await start(flags, surroundings);
  if (server === undefined) return exitCodes.error;
  const ending = Promise.withResolvers<void>();
  using _signals = onEndSignal(() => ending.resolve());
  for (const warning of server.warnings) writeNotice(warning);
  keepServerSmall();
  const lastActs: (() => void)[] = [];
  try {
    await onReady(server, { end: ending.resolve, beforeEnd: (act) => void lastActs.push(act) });
    await ending.promise;
  } finally {
    for (const act of lastActs) act();
    await server.close();
  }
  return exitCodes.success;
}

function reachMisuse({ lan, tailnet, insecure, noAuth, tlsCert }: Flags): string | undefined {
  if (lan !== true && tailnet !== true) return undefined;
  if (lan === true && tailnet === true) return serveTexts.lanAndTailnet;
  const way = lan === true ? "--lan" : "--tailnet";
  if (insecure === true) return serveTexts.alwaysTls(way);
  if (noAuth === true) return serveTexts.pairedOnly(way);
  if (tlsCert === undefined) return undefined;
  return serveTexts.ownCertificate(way);
}

/** Undefined for a server that only this machine reaches. */
async function reachOptions(flags: Flags, access: HostAccess, pushServices: readonly string[]) {
  if (flags.lan !== true && flags.tailnet !== true) return undefined;
  const { prepareReach } = await import("@kedge/host/reach");
  const { others, ...reach } = await prepareReach(access, {
    ...{ way: flags.lan === true ? "lan" : "tailnet", pushServices, onNotice: notice },
    // What the one at this machine may do is more than a phone needs; --scope says otherwise.
    scope: flags.scope ?? "approve",
    ...(flags.hostname !== undefined && { hostname: flags.hostname }),
  });
  if (others.length > 0) notice(serveTexts.listening(reach.hostname, others.join(", ")));
  return reach;
}

function notice(sentence: string): void {
  writeNotice(sentence);
}

async function start(flags: ServeFlags, surroundings: Surroundings): Promise<StartedServer | undefined> {
  const opened = await openSettings(flags, surroundings);
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return undefined;
  }
  const { home, project, configuration } = opened;
  const { environment } = surroundings;
  const { port = configuration.server.port, hostname, tlsCert, tlsKey, tokenScope: scope = flags.scope } = flags;
  const password = environment["KEDGE_SERVER_PASSWORD"];
  // Loaded here, because no other command needs any of it.
  const { hostAccess, placeOf, startServer } = await import("@kedge/host/server");
  try {
    const access = hostAccess({ home: home.directory, environment, now: Date.now });
    const reach = await reachOptions(flags, access, configuration.server.pushServices);
    return await startServer({
      ...configuration.server,
      ...access,
      ...(reach !== undefined && { reach }),
      directory: project.cwd,
      kedgeVersion: version,
      webDirectory: join(import.meta.dirname, "web"),
      ...(port !== undefined && { port }),
      ...(hostname !== undefined && reach === undefined && { hostname }),
      ...(tlsCert !== undefined && tlsKey !== undefined && { tls: { certPath: tlsCert, keyPath: tlsKey } }),
      ...(flags.insecure && { isInsecure: true }),
      ...(flags.noAuth && { isDoorOpen: true }),
      ...(password !== undefined && password !== "" && { password }),
      ...(scope !== undefined && { tokenScope: scope }),
      openPlace: async (directory) => {
        const started = await startPlace(directory, flags, surroundings);
        return started.ok ? { ok: true, place: placeOf(started.started.kedge) } : started;
      },
      onBug: (error) => writeNotice(serveTexts.unexpected(error instanceof Error ? error.message : String(error))),
      onNotice: notice,
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
