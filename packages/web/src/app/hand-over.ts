/** What the page hands to the browser: text for the clipboard, and files to keep. */
import * as texts from "../texts/frame.ts";

/** False where the browser does not allow it, such as on an address without encryption. */
export async function copyText({ navigator }: Pick<Window, "navigator">, text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Gives back a sentence about what came of it. */
export function downloadText({ document }: Pick<Window, "document">, path: string, text: string): string {
  const name = path.split(/[/\\]/).at(-1) ?? "session.txt";
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
  return texts.downloaded(name);
}
