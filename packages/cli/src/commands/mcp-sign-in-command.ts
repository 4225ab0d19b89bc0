/** `kedge mcp auth` and `kedge mcp logout`: signs in to a remote MCP server in the browser, and out again. */
import { openNetwork } from "@kedge/host";
import { openCommandMcp, serverNetwork } from "@kedge/host/mcp";
import { signInToServer, signOutOfServer } from "@kedge/host/mcp-sign-in";
import { showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { onEndSignal } from "../end-signals.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSettings } from "../opening/open-settings.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { version } from "../start/build-facts.ts";
import { mcpTexts } from "../texts/setup.ts";

type SignIn = { readonly action: "auth" | "logout"; readonly name: string };

export async function runMcpSignInCommand({ action, name }: SignIn, flags: Flags): Promise<number> {
  const surroundings = readSurroundings();
  const opened = await openSettings(flags, surroundings, {});
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return exitCodes.error;
  }
  const mcp = openCommandMcp({ ...opened, ...surroundings, kedgeVersion: version });
  try {
    const server = mcp.servers().find((each) => each.name === name);
    if (server === undefined) {
      const unused = mcp.unused().find((each) => each.name === name);
      return problem(unused === undefined ? mcpTexts.noServer(name) : mcpTexts.notUsed(name, unused.reason));
    }
    const { environment, userDirectory } = surroundings;
    const network = serverNetwork(openNetwork(opened.configuration.network, { environment, userDirectory }));
    const parts = { home: opened.home.directory, environment, now: Date.now, network };
    if (action === "logout") {
      if (!signOutOfServer(server, parts)) return problem(mcpTexts.notSignedIn(name));
      writeResult(flags.json ? `${JSON.stringify({ name })}\n` : mcpTexts.signedOut(showTerminalControls(name)));
      return exitCodes.success;
    }
    const ending = new AbortController();
    using _signals = onEndSignal(() => ending.abort());
    const outcome = await signInToServer(server, {
      ...parts,
      // Whoever is not at a terminal is not in front of a browser either.
      showsAddress: process.stderr.isTTY !== true,
      tell: (sentence) => writeNotice(showTerminalControls(sentence)),
      signal: ending.signal,
    });
    if (!outcome.ok) return problem(outcome.problem);
    const { storage, scope } = outcome;
    const where = storage === "keyring" ? mcpTexts.keyring : mcpTexts.privateFile;
    const data = { name, storage, ...(scope !== undefined && { scope }) };
    const text = mcpTexts.signedIn(showTerminalControls(name), where);
    writeResult(flags.json ? `${JSON.stringify(data)}\n` : `${text}\n`);
    return exitCodes.success;
  } finally {
    mcp.close();
  }
}

function problem(sentence: string): number {
  writeNotice(showTerminalControls(sentence));
  return exitCodes.error;
}
