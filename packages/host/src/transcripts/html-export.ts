/** The export as one page that loads nothing: every text is escaped, and only this file's own script and style may run. */
import { hash } from "node:crypto";
import { type Media, type MessageView, type PartView, withoutPlaceholder } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import type { PreparedExport } from "./export-source.ts";
import { collectPath } from "./message-path.ts";

const style = textBeside(import.meta.url, "./page.css");
const script = textBeside(import.meta.url, "./page-script.js");

const shownPictures: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export async function* writeHtml(prepared: PreparedExport): AsyncGenerator<string> {
  const { summary, leafId, systemPrompt, tools } = prepared;
  const { path, others } = await collectPath(prepared.messages, leafId);
  const title = withoutPlaceholder(summary.title) || "Session";
  yield `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n`;
  yield `<meta http-equiv="Content-Security-Policy" content="${contentPolicy()}">\n`;
  yield `<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="referrer" content="no-referrer">\n`;
  yield `<title>${escapeHtml(title)}</title>\n<style>${style}</style>\n</head>\n<body>\n<h1 class="name">${escapeHtml(title)}</h1>\n`;
  yield facts(prepared);
  if (systemPrompt !== undefined) yield folded("System prompt", code(systemPrompt));
  if (tools.length > 0) {
    yield folded(
      `${tools.length} tools`,
      tools.map(({ name, description }) => folded(name, code(description))).join(""),
    );
  }
  yield `<input id="find" type="search" placeholder="Find in messages" aria-label="Find in messages" autocomplete="off">\n<main>\n`;
  for (const message of path) yield article(message);
  yield "</main>\n";
  if (others.length > 0) {
    yield `<details id="others">\n<summary>Other branches: ${others.length} messages</summary>\n`;
    for (const message of others) yield article(message);
    yield "</details>\n";
  }
  yield `<script type="application/json" id="session">${embedded(prepared, [...path, ...others])}</script>\n`;
  yield `<script>${script}</script>\n</body>\n</html>\n`;
}

/** Hashes instead of a nonce: a text that broke out would still not be allowed to run. */
function contentPolicy(): string {
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

function facts({ summary, kedgeVersion, isRedacted, leftOut, effort, gitBranch }: PreparedExport): string {
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

function article(message: MessageView): string {
  const parts = message.parts.map(part).filter((text) => text !== "");
  const { id, role, failure, model, createdAt } = message;
  if (failure !== undefined) parts.push(`<div class="text failed">${escapeHtml(failure.message)}</div>`);
  if (parts.length === 0) return "";
  const speaker = message.isSummary ? "Summary" : role === "user" ? "User" : `Assistant ${model ?? ""}`.trimEnd();
  const header = `<header><span class="name">${escapeHtml(speaker)}</span> <time>${new Date(createdAt).toISOString()}</time></header>`;
  return `<article class="${role}" id="${escapeHtml(`message-${id}`)}">${header}\n${parts.join("\n")}\n</article>\n`;
}

function part(view: PartView): string {
  switch (view.type) {
    case "text": {
      const text = withoutPlaceholder(view.text);
      return text === "" ? "" : `<div class="text">${escapeHtml(text)}</div>`;
    }
    case "reasoning": {
      const text = withoutPlaceholder(view.text);
      return text === "" ? "" : folded("Thinking", `<div class="text">${escapeHtml(text)}</div>`);
    }
    case "tool":
      return toolPart(view);
    case "file":
      return mediaPart(view.media);
    case "compaction":
      return `<div class="text">${escapeHtml(`The conversation was compacted: ${view.shortSummary}`)}</div>`;
    case "patch":
      return folded("Files changed", code(view.files.map(({ path, status }) => `${status} ${path}`).join("\n")));
    case "subtask":
      return folded(`Task for ${view.agent}: ${view.description}`, code(view.prompt));
    case "agent":
      return `<div class="text">${escapeHtml(`Agent: ${view.name}`)}</div>`;
    case "retry":
      return `<div class="text">${escapeHtml(`Retried after ${view.retry.code}.`)}</div>`;
    case "snapshot":
    case "step-start":
    case "step-finish":
      return "";
  }
}

function toolPart({ tool, state }: Extract<PartView, { type: "tool" }>): string {
  const input = code(state.status === "pending" ? state.raw : state.input);
  switch (state.status) {
    case "pending":
    case "running":
      return folded(`${tool} (${state.status})`, input);
    case "completed": {
      const media = (state.attachments ?? []).map(mediaPart).join("");
      return folded(state.title === undefined ? tool : `${tool}: ${state.title}`, input + code(state.output) + media);
    }
    case "error":
      return folded(`${tool} (failed)`, input + code(state.error));
  }
}

function mediaPart({ name, mediaType, base64 }: Media): string {
  const isShown = shownPictures.has(mediaType) && /^[A-Za-z0-9+/]+={0,2}$/.test(base64);
  const picture = isShown ? `<img src="data:${mediaType};base64,${base64}" alt="">` : "";
  return `<div class="text">${escapeHtml(`Attached: ${name} (${mediaType})`)}</div>${picture}`;
}

function folded(title: string, body: string): string {
  return `<details><summary class="name">${escapeHtml(title)}</summary>${body}</details>\n`;
}

/** Not a `pre`, which would lose its first empty line. */
function code(text: string): string {
  return `<div class="code">${escapeHtml(text)}</div>`;
}

/** Also what a parser would change by itself: carriage returns, and characters that no document may hold. */
function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[&<>"'\r\0]/g, (sign) => (sign === "\0" ? "\uFFFD" : `&#${sign.charCodeAt(0)};`));
}
