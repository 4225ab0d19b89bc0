/** Files that a prompt names with `@path`: their text follows the prompt, pictures and PDFs go with it. */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, relative, resolve, sep } from "node:path";
import { type Media, type ReadAnswer, type ReadRights, reasonOf } from "@kedge/protocol";
import { attachmentTexts } from "../texts/headless.ts";
import { attachmentBytesMax, mediaTypeOf } from "./attachments.ts";

export type MentionedFiles = {
  /** The prompt, and after it the text of each file. */
  readonly text: string;
  readonly attachments: readonly Media[];
  /** What was named and is not with it, and why. */
  readonly notices: readonly string[];
};

/** Longer ones are better read in parts, by the model itself. */
const textBytesMax = 256 * 1024;

type Place = { readonly cwd: string; readonly reading: ReadRights };

/** A word that names no file inside the directory stays what it is: many things begin with `@`. */
export function attachMentionedFiles(prompt: string, place: Place): MentionedFiles {
  const texts: string[] = [];
  const attachments: Media[] = [];
  const notices: string[] = [];
  for (const name of new Set(mentionsIn(prompt))) {
    const mention = mentionOf(name, place.cwd);
    if (mention === undefined) continue;
    const { path, file, lines } = mention;
    const right = place.reading.of(resolve(place.cwd, path));
    const read = right.answer === "allow" ? readMentioned(path, file) : { problem: notReadable(right) };
    if ("problem" in read) notices.push(attachmentTexts.notAttached(name, read.problem));
    else if ("media" in read) attachments.push(read.media);
    else texts.push(fileText(name, lines === undefined ? read.text : linesOf(read.text, lines)));
  }
  return { text: [prompt, ...texts].join("\n\n"), attachments, notices };
}

type Lines = { readonly from: number; readonly to: number };

type Mention = { readonly path: string; readonly file: string; readonly lines?: Lines };

/** What is shown of a symbol that is named by its first line alone. */
const symbolLines = 40;

/** A file, or lines of one as symbols are completed: `src/cart.ts:12`, `src/cart.ts:12-30`. */
function mentionOf(name: string, cwd: string): Mention | undefined {
  const whole = fileInside(name, cwd);
  if (whole !== undefined) return { path: name, file: whole };
  const [, path = "", first, last] = /^(.+):(\d{1,7})(?:-(\d{1,7}))?$/.exec(name) ?? [];
  const file = fileInside(path, cwd);
  if (file === undefined) return undefined;
  const from = Number(first);
  return { path, file, lines: { from, to: last === undefined ? from + symbolLines - 1 : Number(last) } };
}

function linesOf(text: string, { from, to }: Lines): string {
  return text
    .split("\n")
    .slice(Math.max(from - 1, 0), to)
    .join("\n");
}

function fileText(name: string, text: string): string {
  return `<file path=${JSON.stringify(name)}>\n${text}${text.endsWith("\n") ? "" : "\n"}</file>`;
}

/** Each with and without the sign that may end a sentence; names with spaces stand in quotes. */
function mentionsIn(prompt: string): readonly string[] {
  return [...prompt.matchAll(/(?<=^|[\s(])@(?:"([^"\n]+)"|([^\s"]+))/g)].flatMap(([, inQuotes, plain = ""]) =>
    inQuotes === undefined ? [plain, plain.replace(/[.,;:!?)]+$/, "")] : [inQuotes],
  );
}

/** Its real path; undefined where no such file, or where it lies elsewhere, also by way of a link. */
function fileInside(name: string, cwd: string): string | undefined {
  const path = resolve(cwd, name);
  if (name === "" || !isFile(path)) return undefined;
  const real = realpathSync(path);
  const way = relative(realpathSync(cwd), real);
  return way === ".." || way.startsWith(`..${sep}`) || resolve(way) === way ? undefined : real;
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch (error) {
    // A word that cannot even be a name, such as one that is too long, names no file.
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

type Read = { readonly text: string } | { readonly media: Media } | { readonly problem: string };

function notReadable({ answer, why }: Exclude<ReadAnswer, { readonly answer: "allow" }>): string {
  return attachmentTexts.notReadable(answer === "deny", why);
}

function readMentioned(name: string, file: string): Read {
  const { size } = statSync(file);
  if (size > attachmentBytesMax) return { problem: attachmentTexts.tooLarge(attachmentBytesMax / 1024 / 1024) };
  const content = contentOf(file);
  if (typeof content === "string") return { problem: attachmentTexts.unreadable(content) };
  const mediaType = mediaTypeOf(content);
  if (mediaType !== undefined)
    return { media: { name: basename(name), mediaType, base64: content.toString("base64") } };
  if (content.length > textBytesMax) return { problem: attachmentTexts.tooLong(textBytesMax / 1024) };
  const text = content.toString("utf8");
  const isText = !content.includes(0) && Buffer.from(text, "utf8").equals(content);
  return isText ? { text } : { problem: attachmentTexts.notTextEither };
}

/** Or why it cannot be read. */
function contentOf(file: string): Buffer | string {
  try {
    return readFileSync(file);
  } catch (error) {
    return reasonOf(error);
  }
}
