/** What `read` shows of an address: the lines of its text, as data where nobody vouches for it. */
import type { AddressAnswer, ToolOutput } from "@kedge/protocol";
import { isPartial, type ReadCall } from "../reading/read-parts.ts";
import { mixingProblem, selectBy, selectLines, showLines } from "../reading/selection.ts";
import { splitSelector } from "../reading/selector.ts";
import { createLineWindow } from "../reading/text/line-window.ts";
import { foldLongLines, wrapUntrusted } from "../web/untrusted-text.ts";
import { describeUnknown, parseAddress } from "./address.ts";

/** `memory://build.md`, with a selector or with offset and limit. */
export async function readAddress(call: ReadCall): Promise<ToolOutput> {
  const { input, context } = call;
  const whole = await readWhole(call);
  const split = whole === undefined ? splitSelector(input.filePath).at(-1) : undefined;
  const title = split?.path ?? input.filePath;
  const refuse = (problem: string): ToolOutput => ({ output: problem, isError: true, title });
  const address = parseAddress(title);
  if (address === undefined) return refuse(`${title} is not an address.`);
  if (split !== undefined && isPartial(input)) return refuse(mixingProblem);
  if (split?.selector.ok === false) return refuse(split.selector.problem);
  const chosen = split?.selector.value;
  if (chosen?.kind === "conflicts") return refuse(`${title} has no conflicts; read it without :conflicts.`);
  if (split !== undefined && address.scheme === "agent" && /[/?]/.test(address.name))
    return refuse("A part of an agent's output is read whole: leave out the lines, or read agent://<id> by lines.");
  const answer = whole ?? (await context.addresses.read(address.scheme, address.name));
  if (answer === undefined) return refuse(describeUnknown(address, context));
  if (!answer.ok) return refuse(answer.problem);
  const { text, isSuspicious } = answer.isForeign
    ? await context.fence(foldLongLines(answer.text))
    : { text: answer.text, isSuspicious: false };
  const selection =
    chosen === undefined ? { ...selectLines(input), continueWith: `${title}:` } : selectBy(chosen, title);
  const window = createLineWindow(selection.ranges, selection);
  window.addText(text);
  const shown = showLines(
    window,
    { path: title, title, selection, pages: undefined, isRemembered: false },
    { unit: "lines" },
  );
  if (!answer.isForeign) return shown;
  const media = answer.media === undefined || answer.media.length === 0 ? {} : { media: answer.media };
  return {
    ...shown,
    ...media,
    output: wrapUntrusted({ source: title, origin: "stored", text: shown.output, isSuspicious }),
  };
}

/** Addresses of servers may end like a selector: `mcp://db/postgres://host:5432`. What exists under the whole name is meant. */
async function readWhole({ input, context }: ReadCall): Promise<AddressAnswer | undefined> {
  const address = parseAddress(input.filePath);
  if (address?.scheme !== "mcp" || splitSelector(input.filePath).length === 0) return undefined;
  const answer = await context.addresses.read(address.scheme, address.name);
  return answer?.ok === true ? answer : undefined;
}
