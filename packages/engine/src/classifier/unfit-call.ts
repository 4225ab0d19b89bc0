/** Calls that no model is asked about, because what they say could decide in the place of what they do. */
import { textBeside } from "@kedge/protocol/text-file";
import type { ClassifiedCall } from "./describe-call.ts";

/** Words to whoever judges the call; a command has no other use for them. Checked by the test of this module. */
const persuasion = (JSON.parse(textBeside(import.meta.url, "./persuasion.json")) as readonly string[]).map(
  (source) => new RegExp(source, "iu"),
);

/** Why the call needs a person, or undefined when a model may judge it. */
export function findUnfit({ tool, needs, cwd, userTexts }: ClassifiedCall): string | undefined {
  const texts = [tool, cwd, ...needs].map(plain);
  if (texts.some((text) => persuasion.some((words) => words.test(text)))) {
    return "the call addresses the classifier";
  }
  // An address carries data away as well as it brings some; only the user's own choice of a host speaks for it.
  const named = hostsIn(userTexts);
  const isChosen = needs.every((need) => !need.startsWith(fetches) || named.has(hostOf(need.slice(fetches.length))));
  return isChosen ? undefined : "it fetches from a host you did not mention";
}

const fetches = "webfetch: ";

/** As a reader would take it: other shapes of letters, joined words and escapes of addresses resolved. */
function plain(text: string): string {
  const letters = text.normalize("NFKD").replaceAll(/[\p{M}\p{Cf}]/gu, "");
  return letters.replaceAll(/%20|[_+]/g, " ");
}

/** Whatever could be one: words that are none equal no host. */
function hostsIn(texts: readonly string[]): ReadonlySet<string> {
  const words = texts.flatMap((text) => text.toLowerCase().split(/[^a-z0-9.:-]+/));
  return new Set(words.map((word) => word.replace(/[.:-]{1,9}$/, "")));
}

function hostOf(pattern: string): string {
  const host = pattern.startsWith("domain:") ? pattern.slice("domain:".length) : (URL.parse(pattern)?.host ?? "");
  return host.toLowerCase();
}
