/** What a file of code brings, as kedge knows it without running the file: read from what the code said, or from the cache. */
import { isJsonObject, type JsonObject, type JsonSchema } from "@kedge/protocol";

export type CodeToolManifest = {
  readonly name: string;
  readonly label?: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly readOnly: boolean;
  readonly concurrencySafe: boolean;
  readonly hidden: boolean;
  readonly deferrable: boolean;
  readonly interruptible: boolean;
  readonly timeoutMs?: number;
  readonly rendersCall: boolean;
  readonly rendersResult: boolean;
  readonly describesApproval: boolean;
  readonly listens: boolean;
};

export type CodeManifest = {
  readonly tools: readonly CodeToolManifest[];
  readonly hooks: readonly string[];
  /** Of the hook `config`: fields of commands by name, as OpenCode writes them. */
  readonly commands: JsonObject;
  /** What could not be used, in sentence parts about the file. */
  readonly notes: readonly string[];
};

/** Tools of servers are known by their prefix; the others are permissions of which rules speak. */
const keptName = /^(?:mcp__.*|external_directory|secret_file|doom_loop|skill|agent|task)$/i;
const toolsMax = 100;
const descriptionCharactersMax = 8_000;
const schemaCharactersMax = 50_000;
const noteCharactersMax = 500;

/** Undefined where it is none. The tools that cannot be used become notes. */
export function readManifest(value: unknown): CodeManifest | undefined {
  if (!isJsonObject(value)) return undefined;
  const { tools, hooks, notes } = value;
  if (!Array.isArray(tools) || !Array.isArray(hooks) || !Array.isArray(notes)) return undefined;
  const read = tools.slice(0, toolsMax).map(readTool);
  return {
    tools: read.filter((tool) => typeof tool !== "string"),
    commands: readCommands(value["commands"]),
    hooks: hooks.filter((name): name is string => typeof name === "string").slice(0, toolsMax),
    notes: [
      ...notes.map((note) => String(note).slice(0, noteCharactersMax)),
      ...read.filter((tool) => typeof tool === "string"),
      ...(tools.length > toolsMax ? [`only its first ${toolsMax} of ${tools.length} tools are used`] : []),
    ].slice(0, toolsMax),
  };
}

/** Came as JSON. */
function readCommands(value: unknown): JsonObject {
  const all = isJsonObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(all.slice(0, toolsMax).filter(([, command]) => isJsonObject(command))) as JsonObject;
}

function readTool(value: unknown): CodeToolManifest | string {
  if (!isJsonObject(value) || typeof value["name"] !== "string") return "one of its tools has no name";
  const { name, label, description, parameters, timeoutMs } = value;
  const flag = (key: string) => value[key] === true;
  if (keptName.test(name)) return `its tool ${name} has a reserved name`;
  if (typeof description !== "string" || description.trim() === "") return `its tool ${name} has no description`;
  if (!isJsonObject(parameters) || parameters["type"] !== "object") {
    return `its tool ${name} does not take an object as input`;
  }
  if (JSON.stringify(parameters).length > schemaCharactersMax) return `the schema of its tool ${name} is too long`;
  return {
    name,
    ...(typeof label === "string" && { label }),
    description: description.slice(0, descriptionCharactersMax),
    // Its checker takes any object, and ignores what it does not know.
    parameters: parameters as JsonSchema,
    ...(typeof timeoutMs === "number" && timeoutMs > 0 && { timeoutMs }),
    readOnly: flag("readOnly"),
    concurrencySafe: flag("concurrencySafe"),
    hidden: flag("hidden"),
    deferrable: flag("deferrable"),
    interruptible: flag("interruptible"),
    rendersCall: flag("rendersCall"),
    rendersResult: flag("rendersResult"),
    describesApproval: flag("describesApproval"),
    listens: flag("listens"),
  };
}
