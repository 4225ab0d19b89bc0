/** `kedge trust`: shows what a project brings and whether it is trusted; `add` and `remove` change the answer. */

import {
  answerTrust,
  describeInput,
  findProject,
  forgetTrust,
  homeDirectory,
  judgeWorkspace,
  openHome,
  type TrustParts,
} from "@kedge/host";
import { showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { onOneLine } from "../opening/trust-question.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { trustCommandTexts } from "../texts/setup.ts";

export async function runTrustCommand([action = "show", extra]: readonly string[], flags: Flags): Promise<number> {
  const { cwd, environment, userDirectory } = readSurroundings();
  if (extra !== undefined || !["show", "add", "remove"].includes(action)) {
    writeNotice(trustCommandTexts.usage);
    return exitCodes.usage;
  }
  const opened = openHome(homeDirectory(environment, userDirectory));
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return exitCodes.error;
  }
  const parts: TrustParts = { home: opened.home, root: findProject(cwd).root, userDirectory, now: Date.now };
  const problem = action === "add" ? answerTrust(parts, "trusted") : undefined;
  if (problem !== undefined) {
    writeNotice(problem);
    return exitCodes.error;
  }
  if (action === "remove") forgetTrust(parts);
  await show(parts, { json: flags.json === true });
  return exitCodes.success;
}

const states = {
  nothing: trustCommandTexts.nothing,
  trusted: trustCommandTexts.trusted,
  refused: trustCommandTexts.refused,
  unknown: trustCommandTexts.unknown,
} as const;

const changedState = trustCommandTexts.changed;

async function show(parts: TrustParts, { json }: { readonly json: boolean }): Promise<void> {
  const trust = judgeWorkspace(parts);
  if (json) {
    writeResult(`${JSON.stringify({ root: parts.root, ...trust })}\n`);
    return;
  }
  const changes = trust.state === "unknown" ? trust.changes : [];
  const state = changes.length > 0 ? changedState : states[trust.state];
  writeResult(showTerminalControls(`${parts.root} ${state}.`));
  writeResult("\n");
  if (trust.state === "nothing") return;
  for (const input of trust.inputs) {
    const change = changes.find(({ name }) => name === input.name)?.change;
    const note = change === undefined ? "" : trustCommandTexts.since(change);
    writeResult(`  ${onOneLine(`${input.name} (${await describeInput(parts.root, input)}${note})`)}\n`);
  }
  for (const { name, change } of changes)
    if (change === "removed") writeResult(trustCommandTexts.removedSince(onOneLine(name)));
}
