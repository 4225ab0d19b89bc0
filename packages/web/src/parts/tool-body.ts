/** What stands below the line of a call: one form for each kind of result, the same kinds as in the terminal. */
import { lineCount, type ToolBody, type ToolDisplay } from "@kedge/protocol";
import { h, type JSX } from "preact";
import * as texts from "../texts/parts.ts";
import { CodeBlock } from "./code.ts";
import { PatchDiff, ReplacementDiff } from "./diff.ts";
import type { Look } from "./look.ts";
import { TerminalOutput } from "./terminal-output.ts";
import { visibleCode, visibleLine, visibleText } from "./visible-text.ts";

const tailLinesMax = 5;
const shellLinesMax = 10;
/** Longer results are cut in view; the text of the whole result stays one click away. */
const textLinesMax = 40;

type Drawn = JSX.Element | undefined;
type BodyOf<Kind extends ToolBody["kind"]> = Extract<ToolBody, { kind: Kind }>;

export function ToolResult({ display, look }: { readonly display: ToolDisplay; readonly look: Look }): Drawn {
  const { body, status } = display;
  switch (body.kind) {
    case "none":
      return undefined;
    case "text":
      return plainText(body.text, body.isError ? "failed" : "plain");
    case "diff":
      return h(PatchDiff, { patch: body.patch, path: body.path, look });
    case "replacement":
      return h(ReplacementDiff, { before: body.before, after: body.after, path: body.path, look });
    case "terminal":
      return terminal(body, status === "running", look);
    case "checklist":
      return checklist(body);
    case "search":
      return searchGroups(body, look);
    case "page":
      return plainText(body.text, "plain");
    case "question":
      return questions(body);
    case "json":
      return given(body, look);
  }
}

/** Whether a person wants to see it without asking. */
export function isOpenAtFirst({ body, status }: ToolDisplay): boolean {
  switch (body.kind) {
    case "diff":
    case "replacement":
    case "checklist":
    case "question":
    case "terminal":
      return true;
    case "text":
      return body.isError;
    case "none":
    case "search":
    case "page":
    case "json":
      return status === "failed";
  }
}

function plainText(text: string, name: "plain" | "failed"): Drawn {
  const lines = visibleCode(text).trimEnd().split("\n");
  if (lines.length === 1 && lines[0] === "") return undefined;
  const shown = h("pre", { class: name, tabIndex: 0 }, lines.slice(0, textLinesMax).join("\n"));
  const rest = lines.slice(textLinesMax);
  if (rest.length === 0) return shown;
  return h(
    "div",
    {},
    shown,
    h(
      "details",
      { class: "more" },
      h("summary", {}, texts.moreLines(rest.length)),
      h("pre", { class: name, tabIndex: 0 }, rest.join("\n")),
    ),
  );
}

function terminal({ command, output }: BodyOf<"terminal">, isRunning: boolean, look: Look): JSX.Element {
  const isLong = lineCount(command.trim()) > 1;
  return h(
    "div",
    {},
    isLong ? h(CodeBlock, { code: command.trim(), label: "bash", look }) : undefined,
    h(TerminalOutput, { lines: output, linesMax: isRunning ? tailLinesMax : shellLinesMax, isRunning }),
  );
}

const states = {
  pending: { sign: "☐", name: "open" },
  in_progress: { sign: "◐", name: texts.inProgress },
  completed: { sign: "☑", name: "done" },
  cancelled: { sign: "✕", name: "cancelled" },
} as const;

function checklist({ items }: BodyOf<"checklist">): JSX.Element {
  return h(
    "ul",
    { class: "checklist" },
    items.map(({ content, status }) =>
      h(
        "li",
        { class: status },
        h("span", { class: "sign", role: "img", "aria-label": states[status].name }, states[status].sign),
        ` ${visibleLine(content)}`,
      ),
    ),
  );
}

const groupsMax = 40;

function searchGroups({ groups, isCut }: BodyOf<"search">, look: Look): JSX.Element {
  const shown = groups.slice(0, groupsMax);
  const hidden = groups.length - shown.length;
  const rows = shown.map(({ path, count }) =>
    h(
      "li",
      {},
      h("span", { class: "count" }, count ?? ""),
      look.fileHref === undefined
        ? h("span", {}, visibleLine(path))
        : h("a", { class: "file-link", href: look.fileHref(path) }, visibleLine(path)),
    ),
  );
  const note = hidden > 0 ? texts.moreFiles(hidden) : isCut ? texts.resultCut : undefined;
  return h(
    "div",
    {},
    h("ul", { class: "hits" }, rows),
    note === undefined ? undefined : h("p", { class: "note" }, note),
  );
}

function questions({ items }: BodyOf<"question">): JSX.Element {
  return h(
    "dl",
    { class: "questions" },
    items.map(({ question, options, answer }) => [
      h("dt", {}, visibleText(question)),
      h(
        "dd",
        { class: answer === undefined ? "options" : "answer" },
        answer === undefined ? options.map(visibleLine).join(" · ") : visibleText(answer),
      ),
    ]),
  );
}

function given({ input, output }: BodyOf<"json">, look: Look): JSX.Element {
  return h(
    "div",
    {},
    input === "" ? undefined : h(CodeBlock, { code: input, label: "json", look }),
    plainText(output, "plain"),
  );
}
