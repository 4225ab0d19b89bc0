/** `kedge web`: serves the current directory and opens the web app in a browser that is signed in by a single-use code. */
import { findProject, homeDirectory } from "@kedge/host";
import { FailureError } from "@kedge/protocol";
import { createClient } from "@kedge/sdk";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { readSurroundings, type Surroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { webTexts } from "../texts/servers.ts";
import { reachOf, serveUntilEnded, showPairing } from "./serve-command.ts";

type Address = {
  readonly url: string;
  readonly token: string;
  /** Told to programs as well. */
  readonly more?: object;
};

export async function runWebCommand([extra]: readonly string[], flags: Flags): Promise<number> {
  if (extra !== undefined) {
    writeNotice(webTexts.doesNotAccept(JSON.stringify(extra)));
    return exitCodes.usage;
  }
  const surroundings = readSurroundings();
  try {
    const running = await findRunning(flags, surroundings);
    if (running !== undefined) {
      await openApp(running, flags, surroundings);
      return exitCodes.success;
    }
    // Who starts it sits at this machine and has all rights here; the browser gets the same ones, terminals included.
    return await serveUntilEnded({ ...flags, tokenScope: flags.scope ?? "admin" }, surroundings, async (server) => {
      await openApp({ ...server, more: flags.json ? reachOf(server, flags) : {} }, flags, surroundings);
      if (!flags.json) await showPairing(server, flags);
      if (!flags.json) writeResult(webTexts.stop);
    });
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    writeDiagnostic(failureText(error.failure));
    return exitCodes.error;
  }
}

/** One that serves this directory already, if the caller has a token for it. */
async function findRunning(
  flags: Flags,
  { cwd, environment, userDirectory }: Surroundings,
): Promise<Address | undefined> {
  const token = flags.token ?? environment["KEDGE_TOKEN"];
  if (token === undefined) return undefined;
  const { findRunningServer, hostAccess } = await import("@kedge/host/server");
  const access = hostAccess({ home: homeDirectory(environment, userDirectory), environment, now: Date.now });
  const found = await findRunningServer(access, findProject(cwd).cwd);
  return found.kind === "running" ? { url: found.server.url, token } : undefined;
}

async function openApp(server: Address, flags: Flags, { environment }: Surroundings): Promise<void> {
  const issued = await createClient(server).send<"code.issue">({ type: "code.issue" });
  if (!issued.ok) throw new FailureError(issued.failure);
  const { openBrowser } = await import("@kedge/host/server");
  const link = new URL(issued.value.url);
  const isOpened = flags.noOpen !== true && (await openBrowser(link, { platform: process.platform, environment }));
  if (flags.json)
    writeResult(`${JSON.stringify({ url: server.url, link: link.href, opened: isOpened, ...server.more })}\n`);
  else writeResult(isOpened ? openedText(server, link) : linkText(server, link));
}

function openedText({ url }: Address, link: URL): string {
  return webTexts.opened(url, link.href);
}

function linkText({ url }: Address, link: URL): string {
  return webTexts.serving(url, link.href);
}
