/** `kedge plugin`: what is installed is shown with everything it brings, and counts only after a yes. */
import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { findProject, homeDirectory, loadConfiguration, openHome, openNetwork } from "@kedge/host";
import { type Confirm, type PluginAnswer, pluginActions, runPluginWords } from "@kedge/host/plugins";
import { showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { onEndSignal } from "../end-signals.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { version } from "../start/build-facts.ts";
import { pluginTexts } from "../texts/setup.ts";

export async function runPluginCommand(words: readonly string[], flags: Flags): Promise<number> {
  const { cwd, environment, userDirectory } = readSurroundings();
  const opened = openHome(homeDirectory(environment, userDirectory));
  if (!opened.ok) return fail(failureText(opened.failure));
  const home = opened.home.directory;
  const project = findProject(cwd);
  // Nothing of the project counts here: what is installed is the user's affair, and the policy's.
  const loaded = await loadConfiguration({
    ...{ home, userDirectory, cwd: project.cwd, projectRoot: project.root, environment, files: [] },
    isTrusted: false,
  });
  if (!loaded.ok) return fail(failureText(loaded.failure));
  const { policy, network } = loaded.configuration;
  const { ca } = openNetwork(network, { environment, userDirectory });
  const controller = new AbortController();
  using _signals = onEndSignal(() => controller.abort());
  const answer = await runPluginWords(words, {
    root: project.root,
    confirm: confirmFor(flags),
    signal: controller.signal,
    machine: {
      ...{ home, environment, kedgeVersion: version, policy: policy?.settings },
      resolvePath: (path) => resolve(cwd, path.replace(/^~(?=\/|$)/, userDirectory)),
      ...(ca !== undefined && { ca }),
    },
  });
  if (answer !== undefined) return show(answer, flags);
  writeNotice(pluginTexts.usage(pluginActions.join("|")));
  return exitCodes.usage;
}

function fail(text: string): number {
  writeDiagnostic(text);
  return exitCodes.error;
}

/** What it is asked about is always shown, also where the answer was given beforehand. */
function confirmFor({ yes, json }: Flags): Confirm {
  return async (text, question) => {
    const shown = `${showTerminalControls(text)}\n`;
    if (json) writeDiagnostic(shown.trimEnd());
    else writeResult(shown);
    if (yes) return "yes";
    if (json || process.stdin.isTTY !== true) return "nobody";
    const reader = createInterface({ input: process.stdin, output: process.stdout });
    try {
      return /^y(?:es)?$/i.test((await reader.question(`${showTerminalControls(question)} [y/N] `)).trim())
        ? "yes"
        : "no";
    } catch {
      // Ctrl+C or the end of input is a no.
      return "no";
    } finally {
      reader.close();
    }
  };
}

function show({ text, data, end }: PluginAnswer, { json }: Flags): number {
  if (json) writeResult(`${JSON.stringify(data)}\n`);
  else if (end === "done" || end === "faulty") writeResult(`${showTerminalControls(text)}\n`);
  else writeNotice(showTerminalControls(text));
  switch (end) {
    case "done":
      return exitCodes.success;
    case "faulty":
    case "failed":
      return exitCodes.error;
    case "refused":
      return exitCodes.usage;
  }
}
