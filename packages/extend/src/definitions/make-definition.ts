/** Makes a definition of a text: its fields, its name and its description, with a note for every slip. */
import type { Definition, DefinitionKind, DefinitionNote, DefinitionPlace, Fields } from "./definition.ts";
import { textField } from "./field-values.ts";
import { readFields } from "./read-fields.ts";
import { splitFrontmatter } from "./split-frontmatter.ts";

export type RawDefinition = {
  readonly kind: DefinitionKind;
  readonly place: DefinitionPlace;
  readonly file: string;
  readonly directory: string;
  readonly text: string;
  /** The name where the text gives none: that of the folder or the file. */
  readonly nameOfFile: string;
  /** What reading it came upon. */
  readonly note?: string;
  /** Where they do not stand in the text, which is all body then. */
  readonly fields?: Fields;
};

export type MadeDefinition =
  | { readonly ok: true; readonly definition: Definition }
  | { readonly ok: false; readonly line?: number; readonly why: string; readonly remedy: string };

const nameCharactersMax = 64;
const descriptionCharactersMax = 1_024;

/** What definitions of every kind and agent may say; anything else is named. */
const knownFields: ReadonlySet<string> = new Set(
  (
    "name description when-to-use allowed-tools tools disallowed-tools model effort paths globs context agent background " +
    "user-invocable disable-model-invocation argument-hint arguments hooks shell license compatibility metadata version " +
    "author tags category subtask parameters keep-coding-instructions mode title permission-mode max-turns skills " +
    "mcp-servers memory isolation color initial-prompt"
  ).split(" "),
);

/** What agents may say besides. */
const agentFields: ReadonlySet<string> = new Set(
  "temperature top-p permission steps max-steps disable hidden prompt nickname system-prompt".split(" "),
);

export function makeDefinition(raw: RawDefinition): MadeDefinition {
  const { kind, place, file, directory, nameOfFile } = raw;
  const marked = raw.text.startsWith("\ufeff") ? raw.text.slice(1) : raw.text;
  const text = marked.includes("\r") ? marked.replaceAll(/\r\n?/g, "\n") : marked;
  if (text.trim() === "")
    return { ok: false, why: "the file is empty", remedy: "Write instructions for the model, or remove the file." };
  const { frontmatter, body, firstLine, isOpen } =
    raw.fields === undefined ? splitFrontmatter(text) : { frontmatter: undefined, body: text, firstLine: 1 };
  const notes: DefinitionNote[] = raw.note === undefined ? [] : [{ line: 1, text: raw.note }];
  if (isOpen) notes.push({ line: firstLine, text: "close the frontmatter with ---" });
  const read = frontmatter === undefined ? undefined : readFields(frontmatter, firstLine);
  if (read === undefined && (kind === "skill" || kind === "agent"))
    notes.push({ line: 1, text: "add frontmatter with name and description" });
  const fields: Fields = raw.fields ?? read?.fields ?? new Map();
  notes.push(...(read?.notes ?? []));
  for (const name of fields.keys())
    if (!knownFields.has(name) && !(kind === "agent" && agentFields.has(name)))
      notes.push({ line: firstLine, text: `the field ${name} is ignored` });
  if (body.trim() === "" && kind !== "skill")
    return { ok: false, why: "nothing follows the frontmatter", remedy: "Write instructions for the model." };
  // A call starts an agent by its name, so none is guessed.
  if (kind === "agent" && typeof fields.get("name") === "object") {
    const line = lineOf("name", frontmatter, firstLine);
    return { ok: false, line, why: "its name is not a text", remedy: "Name it with letters, digits and hyphens." };
  }
  const own = nameOf(fields, nameOfFile, kind, (sentence) => {
    notes.push({ line: lineOf("name", frontmatter, firstLine), text: sentence });
  });
  if (own === undefined)
    return { ok: false, why: "it has no name", remedy: "Name it with letters, digits and hyphens." };
  return {
    ok: true,
    definition: {
      kind,
      name: place.plugin === undefined ? own : `${place.plugin.name}:${own}`,
      description: descriptionOf(fields, body, notes),
      fields,
      body: body.trim(),
      place,
      file,
      directory,
      notes,
    },
  };
}

/** Of a field in the file; its first line where the field is not there. */
function lineOf(field: string, frontmatter: string | undefined, firstLine: number): number {
  const at = (frontmatter ?? "").split("\n").findIndex((line) => line.startsWith(field));
  return at === -1 ? 1 : firstLine + at;
}

function nameOf(
  fields: Fields,
  nameOfFile: string,
  kind: DefinitionKind,
  note: (sentence: string) => void,
): string | undefined {
  const given = textField(fields, "name") ?? "";
  const own = plainName(nameOfFile, kind);
  const name = plainName(given, kind) || own;
  if (given !== "" && name !== given) note(`the name ${shown(given)} is read as ${name}`);
  else if (kind === "skill" && given !== "" && name !== own)
    note(`the name differs from its directory ${shown(nameOfFile)}`);
  if (isMixed(name)) note(`the name mixes alphabets, so it may look like another one: ${spelled(name)}`);
  return name === "" ? undefined : name;
}

/** Letters that look Latin beside Latin ones. */
const lookalikes = "\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Armenian}\\p{Script=Cherokee}";

/** Nearly every name is plain, and for it nothing is built. */
function isMixed(name: string): boolean {
  return /[^ -~]/.test(name) && /[A-Za-z]/.test(name) && new RegExp(`[${lookalikes}]`, "u").test(name);
}

function spelled(name: string): string {
  return name.replaceAll(
    new RegExp(`[${lookalikes}]`, "gu"),
    (letter) => `<U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`,
  );
}

/** Styles are chosen by the name that people read; the others are typed. */
function plainName(text: string, kind: DefinitionKind): string {
  if (text.length <= nameCharactersMax && /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/.test(text)) return text;
  const joined = text.trim().replaceAll(/\s+/g, "-");
  // Letters of every script: teams name things in their own language.
  const plain = (kind === "skill" ? joined.toLowerCase() : joined)
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N}_.:-]+/gu, "-");
  return plain
    .replace(/^[^\p{L}\p{N}]+/u, "")
    .slice(0, nameCharactersMax)
    .replace(/[-.:]+$/, "");
}

function descriptionOf(fields: Fields, body: string, notes: DefinitionNote[]): string {
  const given = textField(fields, "description");
  if (given !== undefined) {
    if (given.length > descriptionCharactersMax)
      notes.push({ line: 1, text: `the description has ${given.length} characters; 1,024 are usual` });
    return /\s\s|[^\S ]/.test(given) ? given.replaceAll(/\s+/g, " ") : given;
  }
  notes.push({ line: 1, text: "no description; using the first line of the text" });
  const line = body.split("\n").find((each) => each.trim() !== "") ?? "";
  return line
    .replace(/^#+\s*/, "")
    .trim()
    .slice(0, descriptionCharactersMax);
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, nameCharactersMax));
}
