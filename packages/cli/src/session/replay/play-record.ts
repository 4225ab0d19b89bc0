/** `--view`: plays the stored facts as the console shows them. Nothing runs. */
import { setTimeout as wait } from "node:timers/promises";
import { type FactRecord, stripTerminalControls } from "@kedge/protocol";
import type { Flags } from "../../arguments/flags.ts";
import { factText } from "../../console/console-view.ts";
import { exitCodes } from "../../exit-codes.ts";
import { readSurroundings } from "../../opening/surroundings.ts";
import { writeResult } from "../../output.ts";
import { delayBefore, type Frame, indexOfSeq } from "./frames.ts";
import { playWithKeys } from "./play-with-keys.ts";

type PlayOptions = Pick<Flags, "from" | "until" | "speed" | "json">;

/** With keys where a person looks on; all at once where nobody does, or at a speed of 0. */
export async function playRecord(records: readonly FactRecord[], options: PlayOptions): Promise<number> {
  const { speed, json, from = 1, until = Number.POSITIVE_INFINITY } = options;
  const pace = speed ?? (process.stdout.isTTY === true ? 1 : 0);
  const shown = framesOf(
    records.filter(({ seq }) => seq <= until),
    { json: json === true },
  );
  const start = indexOfSeq(from, shown);
  if (pace > 0 && !json && canUseKeys()) return playWithKeys(shown, { pace, start, lastSeq: records.at(-1)?.seq ?? 0 });
  for (let index = start; index < shown.length; index += 1) {
    if (pace > 0 && index > start) await wait(delayBefore(shown, index, pace));
    if (writeResult(shown[index]?.text ?? "") === "reader-gone") break;
  }
  return exitCodes.success;
}

/** Facts that nobody would see are left out. */
function framesOf(records: readonly FactRecord[], { json }: { readonly json: boolean }): readonly Frame[] {
  return records.flatMap((record) => {
    const { seq, time, fact } = record;
    const said = fact.type === "prompt.admitted" ? `> ${stripTerminalControls(fact.text)}\n` : factText(fact);
    const text = json ? `${JSON.stringify(record)}\n` : said;
    return text === "" ? [] : [{ seq, time, text }];
  });
}

/** The line that tells where it is must be taken away again, which a dumb terminal cannot. */
function canUseKeys(): boolean {
  const { TERM: terminal } = readSurroundings().environment;
  return process.stdin.isTTY === true && process.stdout.isTTY === true && terminal !== "dumb";
}
