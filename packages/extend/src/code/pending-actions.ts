/** Actions that custom tools prepared and left for the model to apply or discard: of one run, in the process of their file. */
import type { Tool, ToolOutput } from "@kedge/protocol";
import { checkSchema, describeProblems, isJsonObject, type JsonSchema, stripTerminalControls } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import type { CodeUnit } from "./code-unit.ts";

export type PendingAction = {
  readonly unit: CodeUnit;
  /** The tool that prepared it, whose permission it needs. */
  readonly tool: string;
  readonly label: string;
};

export type PendingActions = {
  /** Of what a call reported; gives the sentences that tell the model. */
  add(sessionId: string, reported: unknown, from: Pick<PendingAction, "unit" | "tool">): readonly string[];
  /** What was prepared for one request is not applied for another. */
  runEnded(sessionId: string): void;
  /** The tool that ends them. */
  tool(sessionId: string): Tool;
};

const resolveActionName = "resolve_action";
const actionMsMax = 600_000;
const labelCharactersMax = 200;
const actionsMax = 20;

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    id: { type: "string", minLength: 1 },
    action: { type: "string", enum: ["apply", "discard"] },
    reason: { type: "string" },
  },
  required: ["id", "action", "reason"],
};

type Input = { readonly id: string; readonly action: "apply" | "discard"; readonly reason: string };

export function createPendingActions(): PendingActions {
  const sessions = new Map<string, Map<string, PendingAction>>();
  const of = (sessionId: string) => sessions.get(sessionId) ?? new Map<string, PendingAction>();

  async function resolve(sessionId: string, { id, action, reason }: Input, signal: AbortSignal): Promise<ToolOutput> {
    const title = `${action} ${id}`;
    const pending = of(sessionId).get(id);
    if (pending === undefined) {
      const output = nothingUnder(id);
      return action === "discard" ? { output, title } : { output, title, isError: true };
    }
    const { unit, tool } = pending;
    const reply = await unit.work({ kind: "action", id, action, reason }, { timeoutMs: actionMsMax, signal });
    if (!reply.ok) return { output: `${tool}: ${reply.problem}. ${id} is still pending.`, title, isError: true };
    of(sessionId).delete(id);
    const said = typeof reply.value === "string" ? reply.value : "";
    return { output: said === "" ? `${action === "apply" ? "Applied" : "Discarded"} ${id}.` : said, title };
  }

  return {
    add(sessionId, reported, from) {
      const found = Array.isArray(reported) ? reported.filter(isJsonObject).slice(0, actionsMax) : [];
      const actions = of(sessionId);
      sessions.set(sessionId, actions);
      return found.map(({ id, label }) => {
        const plain = stripTerminalControls(String(label)).replaceAll(/\s+/g, " ").slice(0, labelCharactersMax);
        actions.set(String(id), { ...from, label: plain });
        return `Pending: ${plain}. Apply or discard it with ${resolveActionName} and the id ${String(id)}.`;
      });
    },
    runEnded: (sessionId) => void sessions.delete(sessionId),
    tool: (sessionId) => ({
      name: resolveActionName,
      description: textBeside(import.meta.url, "./resolve-action.md"),
      inputSchema,
      searchHint: "apply or discard a pending action of a custom tool",
      resultCharactersMax: 50_000,
      parse(input) {
        const problems = checkSchema(inputSchema, input);
        return problems.length === 0 ? { ok: true, input } : { ok: false, report: describeProblems(problems) };
      },
      async validate(input) {
        const { id, action } = input as Input;
        return action === "apply" && !of(sessionId).has(id) ? nothingUnder(id) : undefined;
      },
      needs(input) {
        const { id, action } = input as Input;
        const pending = of(sessionId).get(id);
        if (pending === undefined || action === "discard") return [];
        return [{ permission: pending.tool, patterns: ["*"], always: ["*"], access: "execute" }];
      },
      preview: async (input) => of(sessionId).get((input as Input).id)?.label,
      readOnly: (input) => (input as Input).action === "discard",
      concurrencySafe: () => false,
      run: (input, { signal }) => resolve(sessionId, input as Input, signal),
    }),
  };
}

function nothingUnder(id: string): string {
  return `Nothing is pending under ${id}.`;
}
