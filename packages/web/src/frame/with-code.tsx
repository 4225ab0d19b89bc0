/** A text of ours in which backticks mark what is typed. */
export function withCode(text: string) {
  return text.split("`").map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>));
}
