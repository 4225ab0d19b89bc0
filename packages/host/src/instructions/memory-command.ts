/** `/memory`: the instruction files of this session, and the user's word about what an agent wrote. */
import { relative, resolve } from "node:path";
import { type ListedInstruction, listInstructions, shownPath } from "@kedge/memory/instructions";
import { type Json, stripTerminalControls } from "@kedge/protocol";
import { acceptInstruction } from "./accept-instruction.ts";
import { approveInstruction } from "./approve-instruction.ts";
import type { Instructions } from "./open-instructions.ts";
import { proposeSplit } from "./split-instruction.ts";

export type MemoryAnswer = { readonly text: string; readonly data?: Json };

type MemoryPlace = { readonly home: string; readonly now: () => number };

const usage = "Usage: /memory, /memory accept <file>, /memory approve <path>, or /memory split <file>.";

export async function runMemoryCommand(
  argument: string,
  instructions: Instructions,
  { home, now }: MemoryPlace,
): Promise<MemoryAnswer> {
  const [action = "", ...rest] = argument.split(/\s+/);
  const target = rest.join(" ");
  const parts = instructions.parts();
  const { cwd, root, home: userDirectory } = parts.places;
  if (action === "") return listing(listInstructions(parts), { root, home: userDirectory });
  if (target === "") return { text: usage };
  if (action === "accept") {
    const accepted = acceptInstruction(resolve(cwd, target), home);
    return { text: accepted.ok ? `Accepted: ${target}. It applies from the next prompt.` : `${accepted.sentence}.` };
  }
  if (action === "split") return { text: splitText(rest, cwd) };
  if (action !== "approve" || /^https?:/.test(target)) return { text: usage };
  const noNetwork = async () => ({ ok: false, why: "use kedge instructions approve" }) as const;
  const approved = await approveInstruction(resolve(cwd, target), {
    ...{ home, root, urls: [], fetchRemote: noNetwork, now, confirm: async () => false },
  });
  return {
    text: approved.ok ? `Approved: ${approved.approved}. It applies from the next prompt.` : `${approved.sentence}.`,
  };
}

/** Shows the change; the same words with a final `yes` make it. */
function splitText(words: readonly string[], cwd: string): string {
  const isSure = words.length > 1 && words.at(-1) === "yes";
  const file = (isSure ? words.slice(0, -1) : words).join(" ");
  const proposal = proposeSplit(resolve(cwd, file));
  if (!proposal.ok) return `${proposal.sentence}.`;
  if (!isSure) return `${stripTerminalControls(proposal.diff)}\n\nRun /memory split ${file} yes to make this change.`;
  proposal.apply();
  return `Moved to ${proposal.files.map((path) => relative(cwd, path)).join(", ")}. It applies from the next prompt.`;
}

function listing(rows: readonly ListedInstruction[], places: Parameters<typeof shownPath>[1]): MemoryAnswer {
  // Plain data; the type has no index.
  const data = { instructions: rows } as unknown as Json;
  if (rows.length === 0) return { text: "No instruction files. Create an AGENTS.md with /init.", data };
  const [loaded, others] = [rows.filter(isLoaded), rows.filter((row) => !isLoaded(row))];
  const lines = [
    ...section(`Loaded (${tokensText(loaded)})`, loaded, places),
    ...section("Not loaded", others, places),
  ];
  return { text: lines.join("\n"), data };
}

function isLoaded({ status }: ListedInstruction): boolean {
  return status === "loaded";
}

function section(title: string, rows: readonly ListedInstruction[], places: Parameters<typeof shownPath>[1]) {
  if (rows.length === 0) return [];
  return [
    title,
    ...rows.flatMap(({ path, tier, bytes, why, notes }) => [
      `  ${shownPath(path, places)}  ${tier}, ${bytes.toLocaleString("en-US")} bytes, ${why}`,
      ...notes.map((note) => `    ${note}`),
    ]),
  ];
}

function tokensText(rows: readonly ListedInstruction[]): string {
  const tokens = rows.reduce((sum, row) => sum + row.tokens, 0);
  return `${rows.length} ${rows.length === 1 ? "file" : "files"}, about ${tokens.toLocaleString("en-US")} tokens`;
}
