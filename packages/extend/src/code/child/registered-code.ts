/**
 * Code that registers what it brings instead of returning it, as hooks and extensions of omp do: `on(event, handler)` and
 * `registerTool(tool)`. It becomes hooks and tools like those of everybody else.
 */

// biome-ignore lint/complexity/noBannedTypes: code of others gives functions of any shape.
export type Code = Function;
type Fields = { readonly [name: string]: unknown };
type Handler = (event: Fields, context: object) => unknown;
type Output = { output?: unknown; isError?: unknown; readonly args?: Fields };

export type RegisteredCode = {
  /** Joins what factories are given. */
  readonly api: object;
  /** Hooks by kedge's names. */
  hooks(): ReadonlyMap<string, Code>;
  tools(): readonly unknown[];
  /** What was registered and has no place here. */
  unused(): readonly string[];
};

const knownEvents: ReadonlySet<string> = new Set(["tool_call", "tool_result"]);

/** `surroundings` are what handlers get as their context. */
export function createRegisteredCode(surroundings: object): RegisteredCode {
  const handlers = new Map<string, Handler[]>();
  const tools: unknown[] = [];
  const unused = new Set<string>();
  const of = (event: string) => handlers.get(event) ?? [];
  const ignore = (what: string) => () => void unused.add(what);

  const before = async (input: Fields, output: Output) => {
    for (const handler of of("tool_call")) {
      const event = { type: "tool_call", ...callOf(input, output.args ?? {}) };
      const { block, reason } = fieldsOf(await handler(event, surroundings));
      if (block === true) throw new Error(typeof reason === "string" ? reason : "blocked by a hook");
    }
  };
  const after = async (input: Fields, output: Output) => {
    for (const handler of of("tool_result")) {
      const content = [{ type: "text", text: String(output.output) }];
      const call = callOf(input, fieldsOf(input["args"]));
      const event = { type: "tool_result", ...call, content, isError: output.isError === true };
      const answer = fieldsOf(await handler(event, surroundings));
      if (Array.isArray(answer["content"])) output.output = answer["content"].map(textOf).join("");
      if (typeof answer["isError"] === "boolean") output.isError = answer["isError"];
    }
  };

  return {
    api: {
      on(event: unknown, handler: unknown) {
        if (typeof handler !== "function") throw new TypeError(`the handler of ${String(event)} is not a function`);
        const name = String(event);
        handlers.set(name, [...of(name), (...given) => handler(...given)]);
        if (!knownEvents.has(name)) unused.add(`the event ${name}`);
      },
      registerTool: (tool: unknown) => void tools.push(tool),
      registerCommand: ignore("a command"),
      registerShortcut: ignore("a key"),
      registerFlag: ignore("a flag"),
      registerMessageRenderer: ignore("a renderer of messages"),
    },
    hooks: () =>
      new Map<string, Code>([
        ...(handlers.has("tool_call") ? [["tool.execute.before", before] as const] : []),
        ...(handlers.has("tool_result") ? [["tool.execute.after", after] as const] : []),
      ]),
    tools: () => tools,
    unused: () => [...unused],
  };
}

/** Files are called `path` there. */
function callOf({ tool, callID }: Fields, args: Fields) {
  const { filePath } = args;
  return { toolName: tool, toolCallId: callID, input: { ...args, ...(filePath !== undefined && { path: filePath }) } };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function textOf(part: unknown): string {
  const { text } = fieldsOf(part);
  return typeof text === "string" ? text : "";
}
