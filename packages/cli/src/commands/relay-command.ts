/** `kedge relay`: connects shared sessions with their guests, until it is told to end. */
import { join } from "node:path";
import { homeDirectory } from "@kedge/host";
import type { Flags } from "../arguments/flags.ts";
import { onEndSignal } from "../end-signals.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { relayTexts } from "../texts/servers.ts";

const portDefault = 8787;
const hostnameDefault = "127.0.0.1";

export async function runRelayCommand([extra]: readonly string[], flags: Flags): Promise<number> {
  const { port = portDefault, hostname = hostnameDefault, tlsCert, tlsKey } = flags;
  if (extra !== undefined || (tlsCert === undefined) !== (tlsKey === undefined)) {
    writeNotice(relayTexts.usage);
    return exitCodes.usage;
  }
  const { environment, userDirectory } = readSurroundings();
  const { startRelay } = await import("@kedge/host/collab");
  const started = await startRelay({
    ...{ port, hostname, now: Date.now, page: join(import.meta.dirname, "web") },
    snapshots: join(homeDirectory(environment, userDirectory), "collab", "snapshots"),
    ...(tlsCert !== undefined && tlsKey !== undefined && { tls: { certPath: tlsCert, keyPath: tlsKey } }),
  });
  if (!started.ok) {
    writeDiagnostic(failureText(started.failure));
    return exitCodes.error;
  }
  const { url, close } = started.value;
  const ending = Promise.withResolvers<void>();
  using _signals = onEndSignal(() => ending.resolve());
  writeResult(flags.json ? `${JSON.stringify({ url })}\n` : relayTexts.ready(url, readyHint(url)));
  await ending.promise;
  await close();
  return exitCodes.success;
}

function readyHint(url: string): string {
  return url.startsWith("wss:") ? relayTexts.useIt(url) : relayTexts.noCertificate;
}
