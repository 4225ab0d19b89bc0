/** `kedge doctor`: what kedge needs on this machine, what is missing, and how to get it. */

import { examineMachine, judgeWorkspace } from "@kedge/host";
import { foreignFindings } from "@kedge/host/import";
import { listInstructions, openInstructions, shownPath } from "@kedge/host/instructions";
import { showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSettings } from "../opening/open-settings.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { shownSecrets } from "../start/hide-environment.ts";
import { doctorTexts } from "../texts/setup.ts";

export async function runDoctorCommand(words: readonly string[], flags: Flags): Promise<number> {
  if (words.length > 0) {
    writeNotice(doctorTexts.doesNotAccept(JSON.stringify(words[0])));
    return exitCodes.usage;
  }
  const surroundings = readSurroundings();
  const opened = await openSettings(flags, surroundings);
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return exitCodes.error;
  }
  const { home, project } = opened;
  const configuration = { ...opened.configuration, model: flags.model ?? opened.configuration.model };
  const { environment, userDirectory } = surroundings;
  const trust = judgeWorkspace({ home, root: project.root, userDirectory, now: Date.now });
  const { instructions: settings } = configuration;
  const instructionHints = hintsOf(
    openInstructions({
      ...{ home, project, userDirectory, settings, disabledSources: settings.disabledSources },
      ...{ redact: (text) => text, now: Date.now, onNotice: writeDiagnostic },
    }).parts(),
  );
  const foreign = await foreignFindings({ home: home.directory, userDirectory, projectRoot: project.root });
  const findings = await examineMachine({
    instructionHints,
    foreign,
    shownSecrets: shownSecrets(),
    home,
    configuration,
    trust,
    environment,
    nodeVersion: process.version,
    now: Date.now,
  });
  const isWell = findings.every(({ state }) => state !== "missing");
  if (flags.json) writeResult(`${JSON.stringify({ ok: isWell, findings })}\n`);
  else {
    for (const { name, state, detail, advice } of findings) {
      writeResult(`${state.padEnd(8)} ${name.padEnd(10)} ${showTerminalControls(detail)}\n`);
      if (advice !== undefined && state !== "ok") writeResult(`${" ".repeat(20)}${advice}\n`);
    }
  }
  return isWell ? exitCodes.success : exitCodes.error;
}

/** Of files that cost every request more than most of it needs. */
function hintsOf(parts: Parameters<typeof listInstructions>[0]): readonly string[] {
  return listInstructions(parts).flatMap(({ path, notes }) =>
    notes
      .filter((note) => note.startsWith("long: "))
      .map((note) => doctorTexts.hint(shownPath(path, parts.places), note)),
  );
}
