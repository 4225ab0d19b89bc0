/** Files of the project for clients: content and folders by real path, and searches. Nothing outside is ever shown. */
import { open, readdir, realpath, stat } from "node:fs/promises";
import { extname, join, relative, resolve, sep } from "node:path";
import { isForbiddenFile, isSecretFile } from "@kedge/engine";
import { type QueryAnswer, type QueryOf, type Refused, reasonOf, refused } from "@kedge/protocol";
import { describeIrregular, findIrregularAbove, findRipgrep } from "@kedge/tools";
import { runLooking } from "../machine/bounded-process.ts";
import type { HostDeskParts } from "./host-desk.ts";
import { newShownFiles } from "./shown-files.ts";

type FileParts = Pick<HostDeskParts, "project" | "home" | "lookAtPath" | "reading" | "commandEnvironment">;

const fileBytesMax = 5 * 1024 * 1024;
const entriesMax = 5_000;
const hitsMax = 500;
const hitsDefault = 100;
const hitCharactersMax = 1_000;
const searchBytesMax = 8 * 1024 * 1024;
const searchTimeoutMs = 10_000;

type Located =
  | {
      readonly ok: true;
      readonly path: string;
      /** By the name that was given; a rule may be about a link on the way. */
      readonly named: string;
    }
  | Refused;

/** The real path, if it lies inside of the project. */
async function locate({ project, home, lookAtPath }: FileParts, path: string): Promise<Located> {
  const absolute = resolve(project.root, path);
  if (lookAtPath(absolute).place !== "inside") return refused(`${path} is outside the project.`);
  try {
    const real = await realpath(absolute);
    // Looked at again, because a link may have led elsewhere.
    if (lookAtPath(real).place !== "inside") return refused(`${path} is outside the project.`);
    if (isForbiddenFile(real, home.directory) || isOfGit(project.root, real))
      return refused(`${path} is protected and cannot be read.`);
    return { ok: true, path: real, named: absolute };
  } catch (error) {
    return notReadable(path, error);
  }
}

/** Addresses in it hold passwords, and its objects whatever was ever checked in. */
function isOfGit(root: string, path: string): boolean {
  return relative(root, path).split(sep).includes(".git");
}

function notReadable(path: string, error: unknown): Refused {
  if (!(error instanceof Error && "code" in error)) throw error;
  const code = error.code === "ENOENT" || error.code === "ENOTDIR" ? "not_found" : "invalid_command";
  return { ok: false, failure: { code, message: `${path} cannot be read (${reasonOf(error)}).`, retryable: false } };
}

export async function readFile(parts: FileParts, { path }: QueryOf<"file.read">): Promise<QueryAnswer<"file.read">> {
  const located = await locate(parts, path);
  if (!located.ok) return located;
  try {
    const bytes = await contentOf(located.path);
    if (!(bytes instanceof Uint8Array)) return refused(`${path} ${bytes}`);
    const text = textOf(bytes);
    const content = text ?? bytes.toString("base64");
    return {
      ok: true,
      value: {
        path: relative(parts.project.root, located.path),
        mimeType: mimeTypeOf(located.path, text !== undefined),
        encoding: text === undefined ? "base64" : "utf8",
        content,
        ...(isClosed(parts, located) && { isSecret: true as const }),
      },
    };
  } catch (error) {
    return notReadable(path, error);
  }
}

function isClosed({ reading }: FileParts, { path, named }: Extract<Located, { ok: true }>): boolean {
  return isSecretFile(path) || [named, path].some((name) => reading.of(name).answer !== "allow");
}

/** Or what is wrong with it: a pipe of that name would be waited for until somebody writes into it. */
async function contentOf(path: string): Promise<Buffer | string> {
  if (!(await stat(path)).isFile()) return "is not a file.";
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size > fileBytesMax) return `is larger than ${fileBytesMax / 1024 / 1024} MB.`;
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await file.read(bytes, 0, size, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Undefined for what is no text. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

const mimeTypes: { readonly [extension: string]: string } = {
  ".avif": "image/avif",
  ".gif": "image/gif",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".json": "application/json",
  ".mp3": "audio/mpeg",
  ".mp4": "video/mp4",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".wasm": "application/wasm",
  ".webp": "image/webp",
  ".zip": "application/zip",
};

/** Pages and scripts are plain text here: nobody shall run them because we called them so. */
function mimeTypeOf(path: string, isText: boolean): string {
  const known = mimeTypes[extname(path).toLowerCase()];
  if (known !== undefined && (!isText || known === "application/json")) return known;
  return isText ? "text/plain" : "application/octet-stream";
}

export async function listFiles(parts: FileParts, { path }: QueryOf<"file.list">): Promise<QueryAnswer<"file.list">> {
  const located = await locate(parts, path);
  if (!located.ok) return located;
  try {
    const found = await readdir(located.path, { withFileTypes: true });
    const mayShow = parts.reading.below(located.named);
    const shown = found
      .filter(({ name }) => name !== ".git" && mayShow(join(located.named, name)))
      .slice(0, entriesMax);
    const entries = await Promise.all(
      shown.map(async (entry) => {
        const kind = kindOf(entry);
        const full = join(located.path, entry.name);
        const bytes = kind === "file" ? (await stat(full).catch(() => undefined))?.size : undefined;
        return { path: relative(parts.project.root, full), kind, ...(bytes !== undefined && { bytes }) };
      }),
    );
    const sorted = entries.sort((left, right) => (left.path < right.path ? -1 : 1));
    return { ok: true, value: { entries: sorted, isCut: found.length > entriesMax } };
  } catch (error) {
    return notReadable(path, error);
  }
}

type Entry = { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean };

function kindOf(entry: Entry): "file" | "directory" | "link" | "other" {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "other";
}

async function ripgrep(parts: FileParts, directory: string, options: readonly string[]) {
  const irregular = findIrregularAbove([directory]);
  if (irregular !== undefined) return refused(describeIrregular(irregular));
  const looked = await runLooking({
    program: await findRipgrep(),
    arguments: ["--no-config", "--no-messages", ...options],
    cwd: directory,
    environment: parts.commandEnvironment(),
    outputBytesMax: searchBytesMax,
    timeoutMs: searchTimeoutMs,
  });
  if (!looked.ok) return refused(`The search failed: ${looked.problem}.`);
  // 2: the pattern is wrong, or some file could not be read; the latter leaves what was found.
  if (looked.exitCode === 2 && looked.output.length === 0)
    return refused("The pattern is not a valid regular expression.");
  return { ok: true as const, output: looked.output.toString("utf8"), isCut: looked.isCut };
}

export async function findText(parts: FileParts, query: QueryOf<"text.find">): Promise<QueryAnswer<"text.find">> {
  const { pattern, path = ".", limit = hitsDefault } = query;
  const located = await locate(parts, path);
  if (!located.ok) return located;
  if (pattern.includes("\0")) return refused("A pattern cannot contain a zero byte.");
  const options = [
    "--null",
    "--with-filename",
    "--line-number",
    "--no-heading",
    "--color=never",
    "--sort=path",
    "--max-count=100",
  ];
  const found = await ripgrep(parts, parts.project.root, [...options, "--regexp", pattern, "--", located.path]);
  if (!found.ok) return found;
  const countMax = Math.min(limit, hitsMax);
  const { path: searched, named } = located;
  const mayShow = newShownFiles(parts.reading, parts.project.root);
  const mayShowNamed = parts.reading.below(named);
  const isShown = (file: string) => mayShow(file) && mayShowNamed(named + file.slice(searched.length));
  const hits = found.output
    .split("\n")
    .map((line) => /^([^\0]+)\0(\d+):(.*)$/s.exec(line))
    .filter((match) => match !== null)
    .map(([, file = "", line = "", text = ""]) => ({
      path: relative(parts.project.root, resolve(parts.project.root, file)),
      line: Number(line),
      text: text.slice(0, hitCharactersMax),
    }))
    .filter((hit) => isShown(resolve(parts.project.root, hit.path)));
  return { ok: true, value: { hits: hits.slice(0, countMax), isCut: found.isCut || hits.length > countMax } };
}

/** Paths that contain all the words, the shortest first. */
export async function findFiles(parts: FileParts, query: QueryOf<"file.find">): Promise<QueryAnswer<"file.find">> {
  const { text, limit = hitsDefault } = query;
  const found = await ripgrep(parts, parts.project.root, ["--files", "--null", "--hidden", "--glob=!.git"]);
  if (!found.ok) return found;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const mayShow = parts.reading.below(parts.project.root);
  const paths = found.output
    .split("\0")
    .filter((path) => path !== "" && words.every((word) => path.toLowerCase().includes(word)))
    .filter((path) => mayShow(join(parts.project.root, path)))
    .sort((left, right) => left.length - right.length || (left < right ? -1 : 1));
  const countMax = Math.min(limit, hitsMax);
  return { ok: true, value: { paths: paths.slice(0, countMax), isCut: found.isCut || paths.length > countMax } };
}
