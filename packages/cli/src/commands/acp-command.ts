/** `kedge acp`: serves an editor over standard input and output, with a kedge of its own in each directory. */
import { Readable, Writable } from "node:stream";
import { type AcpPlace, type OpenAcpPlace, serveAcp } from "@kedge/host/acp";
import { permissionModes } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { onEndSignal } from "../end-signals.ts";
import { exitCodes } from "../exit-codes.ts";
import { type Started, startKedge } from "../opening/start-kedge.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeNotice } from "../output.ts";
import { version } from "../start/build-facts.ts";
import { acpTexts } from "../texts/servers.ts";

export async function runAcpCommand(words: readonly string[], flags: Flags): Promise<number> {
  if (words.length > 0) return usage(acpTexts.doesNotAccept(JSON.stringify(words[0])));
  if (process.stdin.isTTY) return usage(acpTexts.startedByEditor);
  // Whatever a package prints must not get between the messages.
  console.log = console.info = console.debug = console.error;
  const surroundings = readSurroundings();
  const openPlace: OpenAcpPlace = async (cwd) => {
    const outcome = await startKedge(
      flags,
      { ...surroundings, cwd },
      { interactive: true, app: "acp", mcpServers: [] },
    );
    return outcome.ok ? { ok: true, place: placeOf(outcome.started, flags) } : outcome;
  };
  const ending = new AbortController();
  using _signals = onEndSignal(() => ending.abort());
  await serveAcp({
    openPlace,
    cwd: surroundings.cwd,
    kedgeVersion: version,
    input: Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    output: Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
    signal: ending.signal,
    onNotice: writeNotice,
  });
  return exitCodes.success;
}

function placeOf({ kedge, configuration, cwd, mode, isModeNamed, runOptions }: Started, flags: Flags): AcpPlace {
  const model = flags.model ?? configuration.model;
  const switchedOff = configuration.policy?.disabledModes ?? [];
  const modes = permissionModes.filter(
    (each) => !switchedOff.includes(each) && (each !== "bypass" || flags.skipPermissions === true),
  );
  return {
    client: kedge.client,
    cwd,
    ...(model !== undefined && { model }),
    mode,
    isModeNamed,
    modes,
    runOptions,
    close: () => kedge.close(),
  };
}

function usage(sentence: string): number {
  writeNotice(sentence);
  return exitCodes.usage;
}
