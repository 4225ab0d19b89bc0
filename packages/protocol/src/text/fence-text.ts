/** The one fence around text from outside: an opening and a closing line that name where the text comes from. */

/** What the opening line says of the text, in this order. Values are written as JSON strings without angle brackets. */
export type FenceMarks = { readonly [name: string]: string };

/**
 * The text must have passed the fence's cleaning already, so that nothing in it looks like either line. With a nonce,
 * nothing that was written before the session began can close it.
 */
export function fenceText(text: string, marks: FenceMarks, nonce?: string): string {
  const written = Object.entries(marks).map(([name, value]) => ` ${name}=${markText(value)}`);
  const closing = nonce === undefined ? "" : ` nonce=${markText(nonce)}`;
  return `<untrusted-data${written.join("")}${closing}>\n${text}\n</untrusted-data${closing}>`;
}

function markText(value: string): string {
  return JSON.stringify(value.replaceAll(/[<>]/g, ""));
}
