/** The export as one page that loads nothing: the parts of the web app, with only this file's own script and style. */
import { hash } from "node:crypto";
import { counted, type MessageView, withoutPlaceholder } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import type { PreparedExport } from "./export-source.ts";
import { collectPath } from "./message-path.ts";

const pageStyle = textBeside(import.meta.url, "./page.css");
const script = textBeside(import.meta.url, "./page-script.js");

export async function* writeHtml(prepared: PreparedExport): AsyncGenerator<string> {
  // Loaded with the first page: no other command draws messages.
  const { createMessageWriter, escapeHtml, partStyle } = await import("@kedge/web/export");
  const { summary, leafId, systemPrompt, tools } = prepared;
  const { path, others } = await collectPath(prepared.messages, leafId);
  const title = withoutPlaceholder(summary.title) || "Session";
  const style = `${partStyle()}\n${pageStyle}`;
  const body = await createMessageWriter({ all: [...path, ...others], directory: summary.directory });
  yield `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n`;
  yield `<meta http-equiv="Content-Security-Policy" content="${contentPolicy(style)}">\n`;
  yield `<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="referrer" content="no-referrer">\n`;
  yield `<title>${escapeHtml(title)}</title>\n<style>${style}</style>\n</head>\n<body>\n<h1 class="name">${escapeHtml(title)}</h1>\n`;
  yield facts(prepared, escapeHtml);
  if (prepared.workSummary !== undefined)
    yield `<section><h2 class="name">Work</h2><p style="white-space: pre-wrap">${escapeHtml(prepared.workSummary)}</p></section>\n`;
  const code = (text: string) => `<pre class="code" tabindex="0">${escapeHtml(text)}</pre>`;
  const folded = (name: string, body: string) =>
    `<details><summary class="name">${escapeHtml(name)}</summary>${body}</details>\n`;
  if (systemPrompt !== undefined) yield folded("System prompt", code(systemPrompt));
  if (tools.length > 0) {
    yield folded(
      counted(tools.length, "tool"),
      tools.map(({ name, description }) => folded(name, code(description))).join(""),
    );
  }
  yield `<input id="find" type="search" placeholder="Find in messages" aria-label="Find in messages" autocomplete="off">\n<main>\n`;
  for (const message of path) yield article(message, body(message), escapeHtml);
  yield "</main>\n";
  if (others.length > 0) {
    yield `<details id="others">\n<summary>Other branches: ${counted(others.length, "message")}</summary>\n`;
    for (const message of others) yield article(message, body(message), escapeHtml);
    yield "</details>\n";
  }
  yield `<script type="application/json" id="session">${embedded(prepared, [...path, ...others])}</script>\n`;
  yield `<script>${script}</script>\n</body>\n</html>\n`;
}

/** Hashes instead of a nonce: a text that broke out would still not be allowed to run. */
function contentPolicy(style: string): string {
  const allow = (text: string) => `'sha256-${hash("sha256", text, "base64")}'`;
  const rules = [`script-src ${allow(script)}`, `style-src ${allow(style)}`, "img-src data:"];
  return ["default-src 'none'", ...rules, "base-uri 'none'", "form-action 'none'"].join("; ");
}

/** The session for programs: what it is, how its messages hang together, and where it goes on. */
function embedded(
  { summary, leafId, kedgeVersion, isRedacted }: PreparedExport,
  messages: readonly MessageView[],
): string {
  const tree = messages.map(({ id, role, treeParent, createdAt }) => ({ id, role, treeParent, createdAt }));
  const json = JSON.stringify({ session: summary, kedgeVersion, redacted: isRedacted, leafId, tree });
  return json.replaceAll(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function facts(
  { summary, kedgeVersion, isRedacted, leftOut, effort, gitBranch }: PreparedExport,
  escapeHtml: (text: string) => string,
): string {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["Session", summary.sessionId],
    ["Directory", summary.directory],
    ["Branch", gitBranch],
    ["Model", summary.model],
    ["Effort", effort],
    ["Started", new Date(summary.createdAt).toISOString()],
    ["kedge", kedgeVersion],
    ["Secrets", isRedacted ? "redacted" : "not redacted"],
    ["Left out", leftOut.length > 0 ? leftOut.join(", ") : undefined],
  ];
  const known = rows.flatMap(([name, value]) =>
    value === undefined ? [] : [`<dt>${name}</dt><dd class="name">${escapeHtml(value)}</dd>`],
  );
  return `<dl>${known.join("")}</dl>\n`;
}

function article(message: MessageView, body: string, escapeHtml: (text: string) => string): string {
  const { id, role, model, createdAt, parts, failure } = message;
  const isEmpty =
    failure === undefined && parts.every((part) => "text" in part && withoutPlaceholder(part.text) === "");
  if (isEmpty) return "";
  const speaker = message.isSummary ? "Summary" : role === "user" ? "User" : `Assistant ${model ?? ""}`.trimEnd();
  const header = `<header><h2 class="name">${escapeHtml(speaker)}</h2> <time>${new Date(createdAt).toISOString()}</time></header>`;
  return `<article class="${role}" id="${escapeHtml(`message-${id}`)}">${header}\n${body}\n</article>\n`;
}
