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

/** What only wants to know, by the event of kedge that tells it. */
const toldEvents: { readonly [event: string]: string } = {
  "session.created": "session_start",
  "session.idle": "agent_end",
  "session.compacted": "session_compact",
};

/** The hooks of kedge that stand behind an event. */
const hooksOfEvents: { readonly [event: string]: string } = {
  tool_call: "tool.execute.before",
  tool_result: "tool.execute.after",
  session_before_compact: "session.compacting",
  "session.compacting": "session.compacting",
  session_before_tree: "session.tree.before",
  session_tree: "session.tree",
  ...Object.fromEntries(Object.values(toldEvents).map((event) => [event, "event"])),
};

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

  /** There the answer is returned; here it is written into the output. */
  const compacting = async (input: Fields, output: { [name: string]: unknown }) => {
    for (const name of ["session_before_compact", "session.compacting"]) {
      for (const handler of of(name)) {
        const { cancel, compaction, context, prompt, preserveData } = fieldsOf(
          await handler({ type: name, ...input }, surroundings),
        );
        Object.assign(output, {
          ...(cancel === true && { cancel }),
          ...fieldsOf(compaction),
          ...(Array.isArray(context) && { context }),
          ...(typeof prompt === "string" && { prompt }),
          ...(preserveData !== undefined && { data: preserveData }),
        });
      }
    }
  };
  const moving = async (input: Fields, output: { [name: string]: unknown }) => {
    const { leafID: targetId, fromLeafID: oldLeafId, wantsSummary: userWantsSummary } = input;
    for (const handler of of("session_before_tree")) {
      const preparation = { targetId, oldLeafId, userWantsSummary };
      const answer = fieldsOf(await handler({ type: "session_before_tree", preparation }, surroundings));
      const { summary } = fieldsOf(answer["summary"]);
      Object.assign(output, {
        ...(answer["cancel"] === true && { cancel: true }),
        ...(typeof summary === "string" && { summary }),
      });
    }
  };
  const moved = async ({ leafID: newLeafId }: Fields) => {
    for (const handler of of("session_tree")) await handler({ type: "session_tree", newLeafId }, surroundings);
  };
  const told = async ({ event }: Fields) => {
    const type = toldEvents[String(fieldsOf(event)["type"])];
    for (const handler of type === undefined ? [] : of(type)) await handler({ type }, surroundings);
  };
  const hooksByName: { readonly [hook: string]: Code } = {
    "tool.execute.before": before,
    "tool.execute.after": after,
    "session.compacting": compacting,
    "session.tree.before": moving,
    "session.tree": moved,
    event: told,
  };

  return {
    api: {
      on(event: unknown, handler: unknown) {
        if (typeof handler !== "function") throw new TypeError(`the handler of ${String(event)} is not a function`);
        const name = String(event);
        handlers.set(name, [...of(name), (...given) => handler(...given)]);
        if (!Object.hasOwn(hooksOfEvents, name)) unused.add(`the event ${name}`);
      },
      registerTool: (tool: unknown) => void tools.push(tool),
      registerCommand: ignore("a command"),
      registerShortcut: ignore("a key"),
      registerFlag: ignore("a flag"),
      registerMessageRenderer: ignore("a renderer of messages"),
    },
    hooks: () =>
      new Map<string, Code>(
        [...handlers.keys()].flatMap((event) => {
          const hook = hooksOfEvents[event];
          const code = hook === undefined ? undefined : hooksByName[hook];
          return hook === undefined || code === undefined ? [] : [[hook, code]];
        }),
      ),
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
