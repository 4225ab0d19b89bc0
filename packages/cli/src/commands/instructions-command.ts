/** `kedge instructions`: every instruction file, whether the model sees it, and why; and the user's word about some. */
import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { openNetwork } from "@kedge/host";
import {
  acceptInstruction,
  approveInstruction,
  createFetchRemote,
  type ListedInstruction,
  listInstructions,
  openInstructions,
  proposeSplit,
  remoteNotes,
  shownPath,
} from "@kedge/host/instructions";
import { showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSettings } from "../opening/open-settings.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { type Column, countText, tableText } from "../text-table.ts";
import { instructionTexts } from "../texts/setup.ts";

export async function runInstructionsCommand(words: readonly string[], flags: Flags): Promise<number> {
  const [first, second, extra] = words;
  const isAction = first === "approve" || first === "accept" || first === "split";
  if (extra !== undefined || (isAction ? second === undefined : second !== undefined))
    return usage(instructionTexts.usage);
  const opened = await openPlace(flags);
  if (opened === undefined) return exitCodes.error;
  if (first === "approve") return approve(second ?? "", opened, flags);
  if (first === "accept") return accept(second ?? "", opened);
  if (first === "split") return split(second ?? "", opened, flags);
  return list(first, opened, flags);
}

type OpenedPlace = NonNullable<Awaited<ReturnType<typeof openPlace>>>;

async function openPlace(flags: Flags) {
  const surroundings = readSurroundings();
  const { environment, userDirectory } = surroundings;
  const opened = await openSettings(flags, surroundings);
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return undefined;
  }
  const { home, project, configuration } = opened;
  const { instructions: settings } = configuration;
  const instructions = openInstructions({
    ...{ home, project, userDirectory, settings, disabledSources: settings.disabledSources },
    ...{ redact: (text) => text, now: Date.now, onNotice: writeNotice },
  });
  const network = openNetwork(configuration.network, { environment, userDirectory });
  return { home: home.directory, project, userDirectory, urls: settings.urls, instructions, network };
}

async function list(file: string | undefined, place: OpenedPlace, flags: Flags): Promise<number> {
  const { project, userDirectory, instructions } = place;
  const touched = file === undefined ? [] : [resolve(project.cwd, file)];
  const listed = listInstructions(instructions.parts(), touched);
  const rows = flags.refresh ? await withRemoteNotes(listed, place) : listed;
  if (flags.json) {
    writeResult(`${JSON.stringify(rows)}\n`);
    return exitCodes.success;
  }
  if (rows.length === 0) {
    writeResult(instructionTexts.none);
    return exitCodes.success;
  }
  const shown = (path: string) => shownPath(path, { root: project.root, home: userDirectory });
  const columns: readonly Column<ListedInstruction>[] = [
    { title: instructionTexts.status, align: "left", text: ({ status }) => status },
    { title: instructionTexts.tokens, align: "right", text: ({ tokens }) => countText(tokens) },
    { title: instructionTexts.tier, align: "left", text: ({ tier }) => tier },
    { title: instructionTexts.source, align: "left", text: ({ source }) => source },
    { title: instructionTexts.file, align: "left", text: ({ path }) => shown(path) },
    { title: instructionTexts.why, align: "left", text: ({ why }) => why },
  ];
  writeResult(tableText(columns, rows));
  for (const { path, notes } of rows)
    for (const note of notes) writeResult(`${showTerminalControls(`${shown(path)}: ${note}`)}\n`);
  return exitCodes.success;
}

/** What the network says now, beside what was approved. */
async function withRemoteNotes(listed: readonly ListedInstruction[], { network, home }: OpenedPlace) {
  const fetchRemote = createFetchRemote({ now: Date.now, ...(network.ca !== undefined && { ca: network.ca }) });
  const urls = listed.filter(({ source }) => source === "remote").map(({ path }) => path);
  const notes = await remoteNotes(urls, home, fetchRemote);
  return listed.map((row) => {
    const note = notes.get(row.path);
    return note === undefined ? row : { ...row, notes: [...row.notes, note] };
  });
}

async function approve(target: string, { home, project, urls, network }: OpenedPlace, flags: Flags): Promise<number> {
  const isAddress = /^https?:/.test(target);
  const approved = await approveInstruction(isAddress ? target : resolve(project.cwd, target), {
    ...{ home, root: project.root, urls, now: Date.now },
    fetchRemote: createFetchRemote({ now: Date.now, ...(network.ca !== undefined && { ca: network.ca }) }),
    confirm: (text, before) => confirm(target, text, { before, isAgreed: flags.yes === true }),
  });
  if (!approved.ok) return failed(approved.sentence);
  writeResult(`${showTerminalControls(instructionTexts.approved(approved.approved))}\n`);
  return exitCodes.success;
}

type Asked = { readonly before: string | undefined; readonly isAgreed: boolean };

/** The text, or what changed in it since it was approved, is shown before anybody answers. */
function confirm(target: string, text: string, { before, isAgreed }: Asked): Promise<boolean> {
  return agree(before === undefined ? text : changesOf(before, text), instructionTexts.approve(target), isAgreed);
}

/** Shows a text, and asks unless the answer is known already. */
async function agree(text: string, question: string, isAgreed: boolean): Promise<boolean> {
  writeResult(`${showTerminalControls(text)}\n`);
  if (isAgreed) return true;
  if (process.stdin.isTTY !== true) {
    writeNotice(instructionTexts.noTerminal);
    return false;
  }
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(?:es)?$/i.test((await reader.question(showTerminalControls(`${question} [y/N] `))).trim());
  } finally {
    reader.close();
  }
}

async function split(file: string, { project, userDirectory }: OpenedPlace, flags: Flags): Promise<number> {
  const proposal = proposeSplit(resolve(project.cwd, file));
  if (!proposal.ok) return failed(proposal.sentence);
  if (!(await agree(proposal.diff, instructionTexts.moveOut(file), flags.yes === true))) return exitCodes.error;
  proposal.apply();
  const names = proposal.files.map((path) => shownPath(path, { root: project.root, home: userDirectory }));
  writeResult(`${showTerminalControls(instructionTexts.movedTo(names.join(", ")))}\n`);
  return exitCodes.success;
}

/** By lines that only one of the two has. */
function changesOf(before: string, after: string): string {
  const [old, present] = [before, after].map((text) => text.split("\n"));
  const removed = (old ?? []).filter((line) => !present?.includes(line)).map((line) => `- ${line}`);
  const added = (present ?? []).filter((line) => !old?.includes(line)).map((line) => `+ ${line}`);
  return removed.length + added.length === 0 ? instructionTexts.unchanged : [...removed, ...added].join("\n");
}

function accept(file: string, { home, project }: OpenedPlace): number {
  const accepted = acceptInstruction(resolve(project.cwd, file), home);
  if (!accepted.ok) return failed(accepted.sentence);
  writeResult(`${showTerminalControls(accepted.text)}\n${showTerminalControls(instructionTexts.accepted(file))}\n`);
  return exitCodes.success;
}

function failed(sentence: string): number {
  writeNotice(`${showTerminalControls(sentence)}.`);
  return exitCodes.error;
}

function usage(text: string): number {
  writeNotice(text);
  return exitCodes.usage;
}
