/** What `read` shows of an archive: its entries, those of a directory in it, or one of its files. */
import { dirname, join } from "node:path";
import { nearNames, type ReadRights, type ToolOutput } from "@kedge/protocol";
import { looksBinary } from "../../file-content.ts";
import { describeLeftOut } from "../../searching/left-out.ts";
import type { ContainerKind } from "../contained.ts";
import { notebookText } from "../document/notebook-text.ts";
import { kindOf, sniffedBytes } from "../file-kind.ts";
import { nameInWords, sizeInWords } from "../in-words.ts";
import { readImage } from "../read-image.ts";
import { limitLines, mixingProblem, type Selection, selectBy, showLines, type Target } from "../selection.ts";
import { splitSelector } from "../selector.ts";
import { createLineWindow } from "../text/line-window.ts";
import {
  type Archive,
  type ArchiveEntry,
  ArchiveProblem,
  archiveBytesMax,
  memberBytesMax,
  safeName,
} from "./archive-entry.ts";
import { openTar, type PackedFile } from "./tar-entries.ts";
import { openZip } from "./zip-entries.ts";

export type ArchiveTarget = PackedFile & {
  readonly kind: Exclude<ContainerKind, "database">;
  /** Of the archive: absolute, and as shown. */
  readonly path: string;
  readonly title: string;
  /** A path in the archive, perhaps with a selector; empty for the archive itself. */
  readonly inner: string;
  /** By offset and limit. */
  readonly selection: Selection;
  readonly reading: ReadRights;
};

type Candidate = { readonly name: string; readonly selection: Selection };

const entriesShownMax = 500;
const nearNamesMax = 3;

export async function readFromArchive(target: ArchiveTarget): Promise<ToolOutput> {
  const { title, path, sizeBytes } = target;
  try {
    if (sizeBytes > archiveBytesMax)
      throw new ArchiveProblem(
        `It is larger than ${sizeInWords(archiveBytesMax)}; look inside with bash (tar -tf or unzip -l).`,
      );
    // Each kind loads only its own entries, which are the ones that it gave.
    return target.kind === "zip"
      ? await show(openZip(target), target)
      : await show(await openTar({ ...target, isGzip: target.kind === "tar.gz" }), target);
  } catch (error) {
    if (error instanceof ArchiveProblem)
      return { output: `${path} cannot be read: ${error.message}`, isError: true, title };
    if (!isDamage(error)) throw error;
    return { output: `${path} cannot be read: It is damaged (${error.code}).`, isError: true, title };
  }
}

export function isDamage(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string" && error.code.startsWith("Z_");
}

async function show<Entry extends ArchiveEntry>(archive: Archive<Entry>, target: ArchiveTarget): Promise<ToolOutput> {
  const { path, title, inner, reading } = target;
  // A member is judged as the file it would be if it were unpacked, in a directory of the archive's name or beside it.
  const inArchive = reading.below(path);
  const beside = reading.below(dirname(path));
  const mayShow = ({ name }: ArchiveEntry) => inArchive(`${path}/${name}`) && beside(join(dirname(path), name));
  const refuse = (output: string): ToolOutput => ({ output, isError: true, title });
  for (const { name, selection } of candidatesOf(target)) {
    if (name !== "" && safeName(name) === undefined)
      return refuse(`${name} is not a path inside an archive: it must not be absolute or contain "..".`);
    const wanted = safeName(name) ?? "";
    // What was added last replaces what came before under the same name.
    const entry = archive.entries.findLast((entry) => entry.name === wanted);
    if (entry?.kind === "other") return refuse(`${name} in ${path} is a link or special file; extract it with bash.`);
    const isSelectedTwice = selection !== target.selection && target.selection.isPartial;
    if (entry?.kind === "file") {
      if (isSelectedTwice) return refuse(mixingProblem);
      if (entry.sizeBytes > memberBytesMax)
        return refuse(
          `${name} in ${path} has ${sizeInWords(entry.sizeBytes)}; at most ${sizeInWords(memberBytesMax)} can be read, so extract it with bash.`,
        );
      const member = { path: `${path}:${wanted}`, title: `${title}:${wanted}`, selection };
      return showMember(await archive.load(entry), member);
    }
    const below =
      wanted === "" ? archive.entries : archive.entries.filter((entry) => entry.name.startsWith(`${wanted}/`));
    if (wanted !== "" && entry === undefined && below.length === 0) continue;
    if (isSelectedTwice) return refuse(mixingProblem);
    const readable = below.filter(mayShow);
    const hidden = { unsafe: archive.unsafeCount, leftOut: below.length - readable.length };
    return showEntries(readable, hidden, { title, selection });
  }
  const names = archive.entries.filter(mayShow).map(({ name }) => name);
  const near = nearNames(inner, names, { countMax: nearNamesMax }).map(nameInWords);
  const similar = near.length === 0 ? ` Read ${title} to see what it holds.` : ` Similar names: ${near.join(", ")}`;
  return refuse(`There is no ${inner} in ${path}.${similar}`);
}

/** A name that really has a colon wins over a selector. */
function candidatesOf({ inner, title, selection }: ArchiveTarget): readonly Candidate[] {
  const found: Candidate[] = [{ name: inner, selection }];
  // The name before a selector may be empty, so that the archive itself is meant.
  for (const { path, selector } of splitSelector(`/${inner === "" ? "" : `:${inner}`}`)) {
    const name = path.slice("/:".length);
    if (!selector.ok) throw new ArchiveProblem(selector.problem);
    // Nothing can be resolved inside of an archive, so there it is a name.
    if (selector.value.kind === "conflicts") continue;
    found.push({ name, selection: selectBy(selector.value, name === "" ? title : `${title}:${name}`) });
  }
  return found;
}

type Place = { readonly path: string; readonly title: string; readonly selection: Selection };

function showMember(bytes: Buffer, { path, title, selection }: Place): ToolOutput {
  const target: Target = { path, title, selection, pages: undefined, isRemembered: false };
  const kind = kindOf(bytes.subarray(0, sniffedBytes));
  if (kind.kind === "image") return readImage({ ...kind, sizeBytes: bytes.length, path, title, load: () => bytes });
  if (looksBinary(bytes)) {
    const name = kind.kind === "pdf" ? "PDF" : kind.name;
    const size = sizeInWords(bytes.length);
    return { output: `${path} cannot be shown: ${name}, ${size}. Extract it with bash.`, isError: true, title };
  }
  const text = bytes.toString("utf8");
  const window = createLineWindow(selection.ranges, selection);
  window.addText(path.endsWith(".ipynb") && !selection.isRaw ? (notebookText(text) ?? text) : text);
  return showLines(window, target, { unit: "lines" });
}

function showEntries(
  entries: readonly ArchiveEntry[],
  hidden: { readonly unsafe: number; readonly leftOut: number },
  { title, selection }: Omit<Place, "path">,
): ToolOutput {
  const unsafe = [
    ...(hidden.unsafe === 0 ? [] : [`(${hidden.unsafe} more under names that point outside the archive)`]),
    ...describeLeftOut(hidden.leftOut),
  ]
    .map((note) => `\n${note}`)
    .join("");
  if (entries.length === 0) return { output: `(no entries)${unsafe}`, title, metadata: { entries: 0 } };
  const window = createLineWindow(limitLines(selection.ranges, entriesShownMax), selection);
  for (const entry of entries) window.addLine(rowOf(entry));
  const target: Target = { path: title, title, selection, pages: undefined, isRemembered: false };
  const shown = showLines(window, target, { unit: "entries" });
  return { ...shown, output: shown.output + unsafe };
}

function rowOf({ name, kind, sizeBytes }: ArchiveEntry): string {
  const words = nameInWords(name);
  if (kind === "directory") return `${words}/`;
  return `${words} (${kind === "file" ? sizeInWords(sizeBytes) : "link or special file"})`;
}
