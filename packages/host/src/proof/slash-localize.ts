/** `/localize`: an agent names the places that a report is about, and those that do not exist are dropped. */
import { readFileSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { LocalAnswer } from "@kedge/engine";
import { isJsonObject, type Json, type JsonSchema } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import type { OpenedAgents } from "../agents/open-agents.ts";
import type { OpenedProof } from "./open-proof.ts";

export type LocalizedPlace = {
  readonly file: string;
  readonly symbol: string;
  readonly lines: string;
  readonly confidence: number;
  readonly reason: string;
};

const placesMax = 5;
const text: JsonSchema = { type: "string" };

const placesSchema: JsonSchema = {
  type: "object",
  properties: {
    places: {
      type: "array",
      items: {
        type: "object",
        properties: { file: text, symbol: text, lines: text, confidence: { type: "number" }, reason: text },
        required: ["file", "symbol", "lines", "confidence", "reason"],
      },
    },
  },
  required: ["places"],
};

export async function runSlashLocalize(
  report: string,
  sessionId: string,
  { proof, agents }: { readonly proof: OpenedProof; readonly agents: OpenedAgents },
): Promise<LocalAnswer> {
  if (report === "") return { text: "Usage: /localize <report>." };
  const prompt = fillSlots(textBeside(import.meta.url, "./texts/localize-task.md"), { report, count: `${placesMax}` });
  const order = {
    ...{ agent: "explore", prompt, description: "Localize a report", outputSchema: placesSchema },
    isQuiet: true,
  } as const;
  const started = await (await agents.runs()).start(order, { sessionId }, new AbortController().signal);
  if (!started.ok) return { text: started.failure.message };
  const end = await started.value.ended;
  if (end.structured === undefined) return { text: `Nothing was found: ${end.why ?? end.result}` };
  const { cwd, root } = proof.parts.project;
  const named = readPlaces(end.structured);
  const places = named.filter((place) => isThere(place, { cwd, root })).slice(0, placesMax);
  return { text: placesText(places, named.length - places.length), data: { places } as unknown as Json };
}

function readPlaces(value: Json): readonly LocalizedPlace[] {
  const list = isJsonObject(value) ? value["places"] : undefined;
  if (!Array.isArray(list)) return [];
  const places = list.flatMap((item) => {
    if (!isJsonObject(item)) return [];
    const { file, symbol, lines, confidence, reason } = item;
    if (typeof file !== "string" || typeof symbol !== "string" || typeof confidence !== "number") return [];
    return [{ file, symbol, lines: String(lines), confidence, reason: String(reason) }];
  });
  return places.toSorted((left, right) => right.confidence - left.confidence);
}

/** What a model names from memory is often not there. */
function isThere({ file, symbol }: LocalizedPlace, { cwd, root }: { readonly cwd: string; readonly root: string }) {
  const path = [cwd, root].map((from) => resolve(from, file)).find((each) => isFileIn(root, each));
  if (path === undefined) return false;
  const name =
    symbol
      .split(/[.#:]+/)
      .at(-1)
      ?.replace(/\(.*$/, "") ?? "";
  const word = new RegExp(`(?<![\\w$])${name.replace(/[^\w$]/g, "\\$&")}(?![\\w$])`);
  return name !== "" && word.test(readFileSync(path, "utf8"));
}

function isFileIn(root: string, path: string): boolean {
  return !relative(root, path).startsWith("..") && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function placesText(places: readonly LocalizedPlace[], dropped: number): string {
  const note = dropped === 0 ? [] : [`${dropped} more reported locations do not exist or exceed the limit.`];
  if (places.length === 0) return ["No location found.", ...note].join("\n");
  const rows = places.map(
    ({ file, symbol, lines, confidence, reason }) =>
      `| ${file}:${lines} | ${symbol} | ${confidence} | ${oneLine(reason)} |`,
  );
  return ["| place | symbol | confidence | reason |", "|---|---|---|---|", ...rows, ...note].join("\n");
}

function oneLine(reason: string): string {
  return reason.replace(/\s+/g, " ").replaceAll("|", "\\|").trim();
}
