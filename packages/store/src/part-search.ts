/** What of a part the search looks at: its words, its tool and the files it names. Secrets are taken out before. */
import { isJsonObject, type PartView } from "@kedge/protocol";

export type Redact = (text: string) => string;

export type PartWords = {
  readonly text: string;
  readonly tool: string | undefined;
  /** One per line. */
  readonly files: string;
};

/** More of one part than this is not searched. */
const charactersMax = 64 * 1024;

/** Names of inputs that hold a path, or a list of them. */
const pathInput = /^(?:file|files|path|paths|.*_path|.*Path)$/;

const pathCharactersMax = 1024;

/** `undefined` for parts that have no words of their own. */
export function wordsOfPart(part: PartView, redact: Redact): PartWords | undefined {
  const files = filesOf(part);
  const own = textOf(part);
  if (own === "" && files.length === 0) return undefined;
  const named = redact(files.join("\n"));
  const text = redact(own.slice(0, charactersMax));
  return {
    text: named === "" ? text : `${text}\n${named}`.trimStart(),
    tool: part.type === "tool" ? part.tool : undefined,
    files: named,
  };
}

function textOf(part: PartView): string {
  switch (part.type) {
    case "text":
      // What kedge puts in is the same in every session and would hide what people said.
      return part.isSynthetic ? "" : part.text;
    case "reasoning":
      return part.text;
    case "tool":
      return part.state.status === "completed" ? (part.state.title ?? "") : "";
    case "compaction":
      return part.shortSummary;
    case "subtask":
      return `${part.description}\n${part.prompt}`;
    case "agent":
      return part.name;
    case "file":
    case "patch":
    case "snapshot":
    case "retry":
    case "step-start":
    case "step-finish":
      return "";
  }
}

function filesOf(part: PartView): readonly string[] {
  if (part.type === "file") return [part.media.name];
  if (part.type === "patch") return part.files.map((file) => file.path);
  if (part.type !== "tool" || part.state.status === "pending") return [];
  const attached = part.state.status === "completed" ? (part.state.attachments ?? []) : [];
  return [...new Set([...pathsIn(part.state.input), ...attached.map((media) => media.name)])];
}

function pathsIn(inputText: string): readonly string[] {
  const input = parsed(inputText);
  if (!isJsonObject(input)) return [];
  return Object.entries(input)
    .filter(([name]) => pathInput.test(name))
    .flatMap(([, value]) => value)
    .filter((value) => typeof value === "string")
    .filter((value) => value !== "" && value.length <= pathCharactersMax);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The model wrote it, and what is not JSON names no file.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
