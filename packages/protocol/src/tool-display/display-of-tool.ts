/** Finds who describes a call, and adds what is said of every call that did not end well. */
import { joined } from "./amounts-in-words.ts";
import { describeEdit, describeResolve, describeRewrite } from "./editing-calls.ts";
import { describeForeign } from "./foreign-calls.ts";
import {
  describeAgent,
  describeBatch,
  describeDiscovery,
  describePlan,
  describeQuestion,
  describeTask,
  describeTodoList,
  describeTodos,
} from "./planning-calls.ts";
import { describeRead } from "./reading-calls.ts";
import { describeGlob, describeGrep, describeHits, describeList, describeSyntaxSearch } from "./searching-calls.ts";
import { describeJob, describeShell } from "./shell-calls.ts";
import { listOf, oneLine, readCall, type ShowingContext, type ShownCall, type ToolPart } from "./shown-call.ts";
import type { Described, ToolBody, ToolDisplay } from "./tool-display.ts";
import { describeFetch } from "./web-calls.ts";

type Describe = (call: ShownCall) => Described;

const describers: ReadonlyMap<string, Describe> = new Map<string, Describe>([
  ["read", describeRead],
  ["list", describeList],
  ["glob", describeGlob],
  ["find", describeGlob],
  ["grep", describeGrep],
  ["search", describeGrep],
  ["ast_grep", describeSyntaxSearch],
  ["codesearch", (call) => describeHits(call, "search code")],
  ["memory_search", (call) => describeHits(call, "search memory")],
  ["websearch", (call) => describeHits(call, "search web")],
  ["webfetch", describeFetch],
  ["edit", (call) => describeEdit(call, "edit")],
  ["edit_lines", (call) => describeEdit(call, "edit")],
  ["multi_edit", (call) => describeEdit(call, "edit")],
  ["multiedit", (call) => describeEdit(call, "edit")],
  ["notebook_edit", (call) => describeEdit(call, "edit")],
  ["write", (call) => describeEdit(call, "write")],
  ["apply_patch", (call) => describeEdit(call, "patch")],
  ["ast_edit", describeRewrite],
  ["resolve", describeResolve],
  ["bash", describeShell],
  ["bash_output", (call) => describeJob(call, "job output")],
  ["bash_kill", (call) => describeJob(call, "end job")],
  ["job", (call) => describeJob(call, "jobs")],
  ["todo_write", describeTodos],
  ["todo_read", describeTodoList],
  ["task_create", (call) => describeTask(call, "new task")],
  ["task_get", (call) => describeTask(call, "task")],
  ["task_list", (call) => describeTask(call, "tasks")],
  ["task_update", (call) => describeTask(call, "task")],
  ["question", describeQuestion],
  ["plan_enter", (call) => describePlan(call, "plan")],
  ["plan_exit", (call) => describePlan(call, "present plan")],
  ["checkpoint", (call) => describePlan(call, "checkpoint")],
  ["rewind", (call) => describePlan(call, "rewind")],
  ["batch", describeBatch],
  ["tool_search", describeDiscovery],
  ["agent", describeAgent],
  ["task", describeAgent],
]);

/** Never throws: a call that cannot be described is shown as plain text. */
export function displayOfTool(part: ToolPart, context: ShowingContext = {}): ToolDisplay {
  const call = readCall(part, context);
  const describe = describers.get(part.tool.toLowerCase()) ?? describeForeign;
  return complete(call, described(describe, call));
}

/** A description must not take the screen down with it, whatever a model or a server wrote. */
function described(describe: Describe, call: ShownCall): Described {
  try {
    return describe(call);
  } catch {
    return {
      name: call.tool,
      title: oneLine(call.inputText),
      body: { kind: "text", text: call.output, isError: false },
    };
  }
}

function complete(call: ShownCall, said: Described): ToolDisplay {
  const { status, durationMs } = call;
  const isBad = status === "failed" || status === "refused" || status === "interrupted";
  const { summary, body } = isBad ? badEnd(call, said) : { summary: said.summary ?? "", body: bodyOf(said) };
  const changes = changesOf(call);
  return {
    name: said.name,
    title: said.title,
    status,
    ...{ summary: joined(summary, ...changes), body },
    ...(durationMs !== undefined && { durationMs }),
    // What somebody changed is not folded away with its neighbours.
    isQuiet: said.isQuiet === true && !isBad && changes.length === 0,
    ...(said.groupNoun !== undefined && { groupNoun: said.groupNoun }),
    ...(said.isHidden && !isBad && { isHidden: said.isHidden }),
  };
}

const changersMax = 3;

/** Hooks and plugins that changed what the model asked for, or what it reads of it. */
function changesOf({ metadata }: ShownCall): readonly string[] {
  try {
    return [
      ...changedBy("input changed by", metadata["inputChangedBy"]),
      ...changedBy("rewritten by", metadata["rewrittenBy"]),
    ];
  } catch {
    return [];
  }
}

function changedBy(how: string, names: unknown): readonly string[] {
  const all = listOf(names).map(String);
  if (all.length === 0) return [];
  const more = all.length > changersMax ? ` and ${all.length - changersMax} more` : "";
  return [`${how} ${oneLine(all.slice(0, changersMax).join(", "))}${more}`];
}

function bodyOf({ body }: Described): ToolBody {
  if (body === undefined || (body.kind === "text" && body.text === "")) return { kind: "none" };
  return body;
}

/** A reason that fits is said on the line of the call. */
const shortReasonCharactersMax = 100;

function badEnd({ status, output }: ShownCall, said: Described): Pick<ToolDisplay, "summary" | "body"> {
  const isTerminal = said.body?.kind === "terminal" && status === "interrupted";
  if (isTerminal) return { summary: joined("interrupted", said.summary), body: said.body ?? { kind: "none" } };
  if (status === "interrupted") return { summary: "interrupted", body: { kind: "none" } };
  const reason = output.trim();
  const body: ToolBody =
    said.body?.kind === "question" ? said.body : { kind: "text", text: reason, isError: status === "failed" };
  if (status === "refused") return { summary: "refused", body };
  const isShort = reason.length <= shortReasonCharactersMax && !reason.includes("\n");
  if (isShort && body.kind === "text") return { summary: reason || "failed", body: { kind: "none" } };
  return { summary: isShort ? reason || "failed" : "failed", body };
}
