/** Reads a web page by lines: fetched once, marked as data, and kept whole as an artifact where it is long. */
import type { FencedText, ToolOutput } from "@kedge/protocol";
import { foldLongLines, wrapUntrusted } from "../web/untrusted-text.ts";
import { isPartial, type ReadCall } from "./read-parts.ts";
import { limitLines, mixingProblem, onlyText, type Selection, selectBy, selectLines } from "./selection.ts";
import { type SelectedPath, splitSelector } from "./selector.ts";
import { createLineWindow } from "./text/line-window.ts";

export type SplitAddress = { readonly url: string; readonly selector: SelectedPath["selector"] | undefined };

const pageLinesMax = 300;
const hostOnly = /^https?:\/\/[^/?#]*$/i;
const portOnly = /^:\d+(?![\d+,.-])/;

export function isWebAddress(target: string): boolean {
  return /^https?:\/\//i.test(target);
}

/** A number right behind the host is a port; lines of such a page are chosen behind a slash. */
export function splitAddress(target: string): SplitAddress {
  const split = splitSelector(target).findLast(
    ({ path }) => !(hostOnly.test(path) && portOnly.test(target.slice(path.length))),
  );
  return split === undefined ? { url: target, selector: undefined } : { url: split.path, selector: split.selector };
}

export async function readPage(call: ReadCall): Promise<ToolOutput> {
  const { input, context, parts } = call;
  const { url, selector } = splitAddress(input.filePath);
  const refuse = (output: string): ToolOutput => ({ output, isError: true, title: url });
  if (parts?.pages === undefined) return refuse(`${url} cannot be read here: this session has no web access.`);
  if (selector?.ok === false) return refuse(selector.problem);
  if (selector !== undefined && isPartial(input)) return refuse(mixingProblem);
  const chosen = selector?.value;
  if (chosen?.kind === "conflicts") return refuse(`${url} has no conflicts; read it without :conflicts.`);
  const page = await parts.pages.fetch(url, context);
  if (!page.ok) return refuse(page.problem);
  const selection = chosen === undefined ? selectLines(input) : selectBy(chosen, url);
  return showPage({ url, ...(await context.fence(foldLongLines(withTitle(page)))), selection }, call);
}

function withTitle({ title, text }: { readonly title: string; readonly text: string }): string {
  return title === "" ? text : `Title: ${title}\n\n${text}`;
}

type Page = FencedText & { readonly url: string; readonly selection: Selection };

function showPage({ url, text, isSuspicious, selection }: Page, { context, memory }: ReadCall): ToolOutput {
  const window = createLineWindow(limitLines(selection.ranges, pageLinesMax), selection);
  window.addText(text);
  const { rows, shown, first, last, total } = window.result();
  const metadata = { url, firstLine: first, lastLine: last, totalLines: total };
  if (text.trim() === "")
    return { output: wrapUntrusted({ source: url, text: "(the page has no text)", isSuspicious: false }), title: url };
  if (selection.first > total || shown === "")
    return { output: `${onlyText(total, "lines")}; ${selection.first} is past the end.`, title: url, metadata };
  if (shown === `1-${total}`)
    return { output: wrapUntrusted({ source: url, text: rows, isSuspicious }), title: url, metadata };
  const raw = selection.isRaw ? "raw:" : "";
  const rest = last < total ? `; continue with ${addressOf(url)}:${raw}${last + 1}` : "";
  const number = memory.pageArtifacts.keep(url, { text, isSuspicious }, context);
  const note = `Lines ${shown} of ${total}${rest}; all of it is artifact://${number}.`;
  return { output: wrapUntrusted({ source: url, text: rows, isSuspicious, note }), title: url, metadata };
}

/** As a selector can stand behind it. */
function addressOf(url: string): string {
  return hostOnly.test(url) ? `${url}/` : url;
}
