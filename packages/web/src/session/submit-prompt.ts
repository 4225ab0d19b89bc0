/** Sends what stands in the prompt: a command, a line for the shell, or words for the model, in a new session if there is none. */
import type { Delivery } from "@kedge/protocol";
import { loadLate, outOfDate, whyNotLoaded } from "../app/late-code.ts";
import type { Page } from "../app/page.ts";
import type { StreamState } from "../app/page-stream.ts";
import * as texts from "../texts/session.ts";
import type { Attached } from "./attachments.ts";

export type Typed = { readonly words: string; readonly attached: readonly Attached[] };

/** False when it was not taken; then the words stay where they are. With files it is always for the model. */
export async function submitPrompt(page: Page, { words, attached }: Typed, delivery: Delivery): Promise<boolean> {
  const text = words.trim();
  if (!(await isShown(page))) return false;
  if (text.startsWith("/") && attached.length === 0) {
    const needsSession = page.store.get().session === undefined && !worksWithoutSession.test(text);
    if (needsSession && !(await begin(page))) return false;
    const commands = await page.commands().catch(() => undefined);
    if (commands === undefined) {
      page.notice("warning", await whyNotLoaded(page, offlineText));
      return false;
    }
    if (await commands.runLine(text)) return true;
  }
  if (page.store.get().session === undefined && !(await begin(page))) return false;
  const shell = /^(!{1,2})([^!][\s\S]*)$/.exec(text);
  if (shell !== null && attached.length === 0) {
    void page.desk.runShell((shell[2] ?? "").trim(), { isPrivate: shell[1] === "!!" });
    return true;
  }
  if (attached.length === 0) return page.desk.submit({ text: words, attachments: [] }, delivery);
  // It was loaded with the first of them.
  const { withTextFiles } = await import("./attachments.ts");
  const attachments = attached.flatMap(({ media }) => (media === undefined ? [] : [media]));
  return page.desk.submit({ text: withTextFiles(words, attached), attachments }, delivery);
}

/** Tells what cannot be attached. */
export async function readFiles(page: Page, files: readonly File[]): Promise<readonly Attached[]> {
  const onLost = () => page.notice("warning", texts.filesWait);
  const loaded = await loadLate(page, () => import("./attachments.ts"), { onLost }).catch(() => undefined);
  if (loaded === undefined) {
    page.notice("error", outOfDate);
    return [];
  }
  const { read, problems } = await loaded.readAttachments(files);
  for (const problem of problems) page.notice("warning", problem);
  return read;
}

/** The session of the address may still be loading: another one must not begin in its place. False when it cannot be read. */
async function isShown(page: Page): Promise<boolean> {
  const address = page.router.address.get();
  if (address.kind !== "session" || page.store.get().session?.id === address.sessionId) return true;
  const lost = Promise.withResolvers<"lost">();
  const unsubscribe = page.state.subscribe(
    ({ stream }) => stream,
    (stream) => isOffline(stream) && lost.resolve("lost"),
  );
  const opened = page.show(address.sessionId).then(
    () => "shown" as const,
    () => "gone" as const,
  );
  const result = await Promise.race([opened, lost.promise]);
  unsubscribe();
  if (result === "lost") page.notice("warning", offlineText);
  return result === "shown" && page.store.get().session?.id === address.sessionId;
}

export const offlineText = texts.keptAsDraft;

export function isOffline(stream: StreamState): boolean {
  return stream === "lost" || stream === "ended";
}

/** Commands that only show something of the page. */
const worksWithoutSession = /^\/(?:help|keys|theme|sessions|model|status)\b/;

async function begin(page: Page): Promise<boolean> {
  await page.desk.begin();
  return page.store.get().session !== undefined;
}
