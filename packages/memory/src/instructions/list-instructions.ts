/** Every instruction file that could count, in load order, with what became of it and why: for a person. */
import { dirname, join } from "node:path";
import { directoriesBelow, entriesIn } from "./directories-below.ts";
import { filesAt, localFilesAt, walkOf } from "./discover.ts";
import { tokensLeftAlone } from "./includes.ts";
import { type InstructionEntry, type InstructionOrigin, type InstructionTier, plainName } from "./instruction-entry.ts";
import type { InstructionParts } from "./instruction-parts.ts";
import { folderFiles, folderRules, promptNames } from "./instruction-places.ts";
import { absent, untrustedReason } from "./load-instructions.ts";
import { loadAll } from "./loaded-instructions.ts";
import { directoriesAbove, isMet, loadNested } from "./nested-instructions.ts";
import { type PromptFileName, promptEntries } from "./prompt-files.ts";
import { shownPath } from "./render-entries.ts";
import { sizeHint } from "./size-hint.ts";
import { unreadFiles } from "./unread-files.ts";

export type ListedInstruction = {
  readonly path: string;
  readonly tier: InstructionTier;
  readonly source: InstructionOrigin;
  /** `loaded` is what the model sees. */
  readonly status: "loaded" | "not-loaded";
  readonly why: string;
  readonly tokens: number;
  readonly bytes: number;
  /** SHA-256 of the file; empty when it was not read. */
  readonly hash: string;
  /** What one should know besides. */
  readonly notes: readonly string[];
};

/** `touched`: absolute paths of files that are as if the model had read them. */
export function listInstructions(
  parts: InstructionParts,
  touched: readonly string[] = [],
): readonly ListedInstruction[] {
  const { places, settings } = parts;
  const entries = loadAll(parts);
  const levels = new Set(walkOf(places, settings));
  const near = [...new Set(touched.flatMap((path) => directoriesAbove(path, places.root)))].filter(
    (each) => !levels.has(each),
  );
  const nested = near.flatMap((directory) => loadNested(directory, entries, parts));
  const below = directoriesBelow(places.cwd).filter((directory) => !near.includes(directory));
  const deeper = below.flatMap((directory) => [...filesAt(directory, places), ...localFilesAt(directory)]);
  const listed = [
    ...[...entries, ...nested].map((entry) => listedOf(entry, { touched, isNested: nested.includes(entry), parts })),
    ...promptNames.flatMap((name) => promptEntries(name, parts).map((entry) => ofPrompt(entry, name))),
    ...deeper.map((each) =>
      plain(absent(each, parts.isTrusted() ? nestedReason(each.directory, parts) : untrustedReason)),
    ),
    ...hereOnly([...levels], parts).map(plain),
    ...outsideTheWalk(parts).map(plain),
    ...emptyFolders([...levels]).map(plain),
    ...unreadFiles([...levels]).map((each) => plain(absent(each, each.refused ?? ""))),
  ];
  const paths = new Set<string>();
  return listed.filter(({ path }) => paths.size < paths.add(path).size);
}

type Circumstances = {
  readonly touched: readonly string[];
  readonly isNested: boolean;
  readonly parts: InstructionParts;
};

function listedOf(entry: InstructionEntry, { touched, isNested, parts }: Circumstances): ListedInstruction {
  const { status, includedBy, namedBy, form } = entry;
  const row = plain(entry);
  if (status === "waiting" && isMet(entry, touched))
    return { ...row, status: "loaded", why: "a touched file matches it" };
  if (status !== "loaded")
    return { ...row, status: "not-loaded", why: status === "data" ? `shown as data: ${entry.why}` : entry.why };
  const hint = form === "file" && !isNested ? sizeHint(entry, shownPath(entry.path, parts.places)) : undefined;
  const notes = [...row.notes, ...leftAlone(entry, parts), ...(hint === undefined ? [] : [hint])];
  if (includedBy !== undefined)
    return { ...row, status, why: `included by ${shownPath(includedBy, parts.places)}`, notes };
  if (namedBy !== undefined) return { ...row, status, why: `named in ${namedBy}`, notes };
  return { ...row, status, why: isNested ? "attached to a touched file" : reasons[form], notes };
}

/** Tokens that somebody may have meant as includes. */
function leftAlone({ text, path, form }: InstructionEntry, { places }: InstructionParts): readonly string[] {
  if (form === "sticky" || !text.includes("@")) return [];
  const tokens = tokensLeftAlone(text, { directory: dirname(path), home: places.home });
  return tokens.map(({ token, why }) => `${plainName(token)} is not included: ${why}`);
}

function ofPrompt(entry: InstructionEntry, name: PromptFileName): ListedInstruction {
  return entry.status === "loaded" ? { ...plain(entry), status: "loaded", why: promptReasons[name] } : plain(entry);
}

const promptReasons: { readonly [name in PromptFileName]: string } = {
  "SYSTEM.md": "replaces the base prompt",
  "APPEND_SYSTEM.md": "extends the system prompt",
  "TITLE_SYSTEM.md": "replaces the prompt for titles",
};

const reasons: { readonly [form in InstructionEntry["form"]]: string } = {
  file: "read at startup",
  rule: "a rule without a condition",
  sticky: "repeated with every prompt",
};

function plain({ path, tier, source, why, tokens, bytes, hash, notes, warnings }: InstructionEntry): ListedInstruction {
  return { path, tier, source, status: "not-loaded", why, tokens, bytes, hash, notes: [...warnings, ...notes] };
}

function nestedReason(directory: string, { places }: InstructionParts): string {
  return `attached when a file in ${shownPath(directory, places)} is first read or edited`;
}

/** Files that count in the working directory only, in directories above it. */
function hereOnly(levels: readonly string[], { places }: InstructionParts): readonly InstructionEntry[] {
  return levels
    .filter((level) => level !== places.cwd)
    .flatMap((level) =>
      filesAt(level, { cwd: level, root: places.root }).filter(({ path }) =>
        Object.entries(folderFiles).some(([folder, rows]) =>
          rows.some((row) => row.isHereOnly && path === join(level, folder, row.path)),
        ),
      ),
    )
    .map((candidate) => absent(candidate, "not searched: it only applies in the working directory"));
}

const levelsMax = 30;

/** Above the root, up to the home directory or the root of the file system. */
function outsideTheWalk({ places, settings }: InstructionParts): readonly InstructionEntry[] {
  const [highest = places.root] = walkOf(places, settings);
  const found: InstructionEntry[] = [];
  let directory = highest;
  for (let level = 0; level < levelsMax && directory !== places.home && dirname(directory) !== directory; level += 1) {
    directory = dirname(directory);
    for (const candidate of filesAt(directory, places)) {
      if (candidate.form === "rule") continue;
      found.unshift(
        absent(candidate, "not searched: above the project; include it with the setting instructions.walkPastRepo"),
      );
    }
  }
  // Those of the user's own folders are listed with the user's.
  return found.filter(({ path }) => !path.startsWith(`${places.home}/.`));
}

function emptyFolders(levels: readonly string[]): readonly InstructionEntry[] {
  return levels.flatMap((directory) =>
    Object.entries(folderRules).flatMap(([folder, { path, source, pattern }]) => {
      const whole = join(directory, folder, path);
      const isEmpty = entriesIn(whole)?.every((name) => name.isFile() && !pattern.test(name.name)) === true;
      if (!isEmpty) return [];
      return [absent({ path: whole, tier: "project", source, directory, form: "rule" }, "directory empty")];
    }),
  );
}
