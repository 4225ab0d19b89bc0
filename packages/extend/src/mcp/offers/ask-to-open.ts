/** Pages that a server wants a person to open: shown in full, opened with consent alone, waited for where a call needs it. */
import { type Asking, decline, shown } from "./ask-person.ts";

export type Page = { readonly message: string; readonly url: string; readonly elicitationId?: string };

export type PageParts = {
  readonly server: string;
  /** Opens it in a browser; false where there is none, and the person opens it elsewhere. */
  readonly openPage: (url: URL) => Promise<boolean>;
};

const agree = "Open the page";
const go = "Continue";

/** The whole address is shown, and its host apart from it. */
export async function askToOpen(
  { message, url }: Page,
  { server, openPage }: PageParts,
  dialogue: Asking,
  withdrawn?: AbortSignal,
): Promise<boolean> {
  const parsed = webAddress(url);
  // Anything else could start a program.
  if (parsed === undefined) return false;
  const question = {
    question: `${shown(server)} asks you to open a page at ${parsed.host}: ${shown(message)}\n${parsed.href}`,
    options: [
      { label: agree, description: "Open it in the browser, or open the address yourself" },
      { label: decline, description: "Do not open it" },
    ],
  };
  const answers = await dialogue.ask([question], withdrawn);
  if (answers?.[0] !== agree) return false;
  await openPage(parsed);
  return true;
}

/** Without a limit of time: until the person or the server says that the page is done with. */
export async function awaitVisit(
  { url }: Page,
  { server }: PageParts,
  dialogue: Asking,
  completed: AbortSignal,
): Promise<boolean> {
  const host = webAddress(url)?.host ?? "";
  const answers = await dialogue.ask(
    [
      {
        question: `Finish at ${host}, then continue the call to ${shown(server)}.`,
        options: [
          { label: go, description: "I finished there" },
          { label: decline, description: "Cancel the call" },
        ],
      },
    ],
    completed,
  );
  return completed.aborted || answers?.[0] === go;
}

/** What cannot be shown as a whole is not opened. */
const addressCharactersMax = 4_000;

/** Its text is plain: everything else in it is percent-encoded. */
export function webAddress(url: string): URL | undefined {
  const parsed = URL.parse(url);
  const isWeb = parsed?.protocol === "https:" || parsed?.protocol === "http:";
  return isWeb && parsed.href.length <= addressCharactersMax ? parsed : undefined;
}
