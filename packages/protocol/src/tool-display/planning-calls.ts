/** Calls that order the work: lists, questions to a person, plans, several calls in one, other agents. */

import type { Todo } from "../contracts/tool.ts";
import { isJsonObject, type JsonObject } from "../json/json.ts";
import { counted } from "../text/counted.ts";
import { countedLines, durationInWords, joined } from "./amounts-in-words.ts";
import { listOf, numberOf, oneLine, type ShownCall, textOf } from "./shown-call.ts";
import type { Described } from "./tool-display.ts";

const statuses: ReadonlySet<unknown> = new Set<Todo["status"]>(["pending", "in_progress", "completed", "cancelled"]);

export function describeTodos(call: ShownCall): Described {
  const items = listOf(call.input["todos"]).flatMap((todo) => {
    if (!isJsonObject(todo) || typeof todo["content"] !== "string") return [];
    const { content, status } = todo;
    // Looked up in the set of all statuses, so it is one of them.
    return [{ content, status: (statuses.has(status) ? status : "pending") as Todo["status"] }];
  });
  const open = items.filter(({ status }) => status === "pending" || status === "in_progress").length;
  const title = open === 0 && items.length > 0 ? "all done" : `${open} of ${items.length} open`;
  return { name: "todo", title: items.length === 0 ? "" : title, body: { kind: "checklist", items } };
}

export function describeTodoList(call: ShownCall): Described {
  return quiet(call, { name: "todo", title: "read the list" });
}

export function describeQuestion(call: ShownCall): Described {
  const questions = listOf(call.input["questions"]).flatMap((asked) =>
    isJsonObject(asked) && typeof asked["question"] === "string"
      ? [{ question: asked["question"], options: listOf(asked["options"]).flatMap(labelOf) }]
      : [],
  );
  const items = questions.map((asked, index) => {
    const answer = call.status === "done" ? answerTo(asked.question, questions[index + 1]?.question, call.output) : "";
    return { ...asked, ...(answer !== "" && { answer }) };
  });
  return {
    name: "question",
    title: questions.length > 1 ? counted(questions.length, "question", "questions") : "",
    body: { kind: "question", items },
  };
}

/** Each question stands on lines of its own, its answer behind an arrow, until the next question. */
function answerTo(question: string, next: string | undefined, output: string): string {
  const asked = `${question}\n-> `;
  const at = output.indexOf(asked);
  if (at === -1) return "";
  const from = at + asked.length;
  const end = next === undefined ? -1 : output.indexOf(`\n${next}\n-> `, from);
  return output.slice(from, end === -1 ? undefined : end).trim();
}

function labelOf(option: unknown): readonly string[] {
  return isJsonObject(option) && typeof option["label"] === "string" ? [option["label"]] : [];
}

export function describePlan(call: ShownCall, name: string): Described {
  return { name, title: oneLine(call.title ?? textOf(call, "planPath", "reason", "goal", "report")) };
}

export function describeTask(call: ShownCall, name: string): Described {
  return quiet(call, { name, title: oneLine(call.title ?? textOf(call, "subject", "id")) });
}

/** Its calls are shown by themselves. */
export function describeBatch(call: ShownCall): Described {
  const count = listOf(call.input["calls"]).length;
  return { name: "batch", title: call.title ?? (count === 0 ? "" : counted(count, "call", "calls")) };
}

/** Searching the tools is no work of its own: nobody sees it unless it fails. */
export function describeDiscovery(call: ShownCall): Described {
  const found = listOf(call.metadata["foundTools"]).length;
  return {
    name: "tools",
    title: oneLine(textOf(call, "query")),
    summary: call.status === "done" ? `${found} found` : "",
    body: { kind: "text", text: call.output, isError: false },
    isQuiet: true,
    isHidden: true,
  };
}

export function describeAgent(call: ShownCall): Described {
  const { metadata, context, status, durationMs } = call;
  const tokens = numberOf(metadata, "tokens");
  const last = status === "running" ? context.tail?.at(-1)?.text : undefined;
  return {
    name: oneLine(textOf(call, "name", "subagent_type")) || "agent",
    title: oneLine(textOf(call, "description", "prompt")),
    summary: joined(
      turnsOf(metadata),
      tokens === undefined ? undefined : counted(tokens, "token", "tokens"),
      durationMs === undefined ? undefined : durationInWords(durationMs),
      last === undefined ? undefined : oneLine(last),
    ),
    body: { kind: "text", text: call.output, isError: false },
  };
}

function turnsOf(metadata: JsonObject): string | undefined {
  const turns = numberOf(metadata, "turns");
  const turnsMax = numberOf(metadata, "turnsMax");
  if (turns === undefined) return undefined;
  return turnsMax === undefined ? counted(turns, "turn", "turns") : `turn ${turns} of ${turnsMax}`;
}

function quiet(call: ShownCall, named: Pick<Described, "name" | "title">): Described {
  return {
    ...named,
    summary: call.status === "done" ? countedLines(call.output) : "",
    body: { kind: "text", text: call.output, isError: false },
  };
}
