/** `kedge desktop`: the web app of this directory in a browser window of its own, with a server that ends with it. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { findProject, homeDirectory } from "@kedge/host";
import type { StartedServer } from "@kedge/host/server";
import { FailureError } from "@kedge/protocol";
import { createClient } from "@kedge/sdk";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { readSurroundings, type Surroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { desktopTexts } from "../texts/servers.ts";
import { serveUntilEnded } from "./serve-command.ts";

const looksMax = 15;
const lookEveryMs = 200;

export async function runDesktopCommand([extra]: readonly string[], flags: Flags): Promise<number> {
  if (extra !== undefined) {
    writeNotice(desktopTexts.doesNotAccept(JSON.stringify(extra)));
    return exitCodes.usage;
  }
  const surroundings = readSurroundings();
  try {
    const browser = await findBrowser(surroundings);
    const running = await findRunning(surroundings);
    if (running !== undefined) {
      // Its window has the cookie already. A server that was started otherwise asks for its link or token.
      const token = flags.token ?? surroundings.environment["KEDGE_TOKEN"];
      const link = token === undefined ? `${running}/app` : await linkOf({ url: running, token });
      openWindow(browser, link, surroundings).unref();
      writeResult(desktopTexts.openedRunning(running));
      return exitCodes.success;
    }
    return await serveUntilEnded(
      { ...flags, tokenScope: flags.scope ?? "admin" },
      surroundings,
      async (server, ending) => {
        const window = openWindow(browser, await linkOf(server), surroundings);
        writeResult(flags.json ? `${JSON.stringify({ url: server.url, pid: window.pid })}\n` : openedText(server.url));
        ending.beforeEnd(() => window.kill());
        const closed = new Promise<void>((resolve) => {
          window.once("error", (error) => {
            writeNotice(desktopTexts.notStarted(browser, error.message));
            resolve();
          });
          window.once("exit", () => resolve());
        });
        closed.then(() => endWithWindow(server, ending.end)).catch((error: unknown) => writeNotice(String(error)));
      },
    );
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    writeDiagnostic(failureText(error.failure));
    return exitCodes.error;
  }
}

function openedText(url: string): string {
  return desktopTexts.opened(url);
}

async function findBrowser({ environment }: Surroundings): Promise<string> {
  const { findAppBrowser } = await import("@kedge/host/reach");
  const { platform } = process;
  const hasScreen = environment["DISPLAY"] !== undefined || environment["WAYLAND_DISPLAY"] !== undefined;
  if (platform === "linux" && !hasScreen) {
    throw failure(desktopTexts.noDisplay, desktopTexts.useWeb);
  }
  const browser = findAppBrowser({ platform, environment });
  if (browser !== undefined) return browser;
  const recovery = desktopTexts.installBrowser;
  throw failure(desktopTexts.noBrowser, recovery);
}

async function findRunning({ cwd, environment, userDirectory }: Surroundings): Promise<string | undefined> {
  const { findRunningServer, hostAccess } = await import("@kedge/host/server");
  const access = hostAccess({ home: homeDirectory(environment, userDirectory), environment, now: Date.now });
  const found = await findRunningServer(access, findProject(cwd).cwd);
  return found.kind === "running" ? found.server.url : undefined;
}

async function linkOf(server: Pick<StartedServer, "url" | "token">): Promise<string> {
  const issued = await createClient(server).send<"code.issue">({ type: "code.issue" });
  if (!issued.ok) throw new FailureError(issued.failure);
  return issued.value.url;
}

/** With a profile of its own for each directory, so that the browser stays until the window is closed. */
function openWindow(browser: string, link: string, { cwd, environment, userDirectory }: Surroundings): ChildProcess {
  const project = createHash("sha256").update(findProject(cwd).cwd).digest("hex").slice(0, 16);
  const profile = join(homeDirectory(environment, userDirectory), "reach", "desktop", project);
  mkdirSync(profile, { recursive: true, mode: 0o700 });
  const words = [
    ...[`--app=${link}`, `--user-data-dir=${profile}`, "--no-first-run", "--no-default-browser-check"],
    ...["--disable-sync", "--disable-component-update", "--disable-background-networking"],
  ];
  const { KEDGE_TOKEN: _token, KEDGE_SERVER_PASSWORD: _password, ...env } = environment;
  return spawn(browser, words, { stdio: "ignore", env });
}

/** Connections of the window may need a moment to end. */
async function endWithWindow({ instances }: Pick<StartedServer, "instances">, end: () => void): Promise<void> {
  for (let look = 0; look < looksMax; look++) {
    const idle = await Promise.all(instances.list().map((instance) => instance.isIdleFor(0)));
    if (idle.every((each) => each)) return end();
    await setTimeout(lookEveryMs);
  }
  writeNotice(desktopTexts.staysOpen);
}

function failure(message: string, recovery: string): FailureError {
  return new FailureError({ code: "configuration", message, recovery, retryable: false });
}
