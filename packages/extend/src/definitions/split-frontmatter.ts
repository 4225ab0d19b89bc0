/** Takes the frontmatter off a Markdown file, also where it is not closed. */

export type SplitText = {
  /** Undefined where the file has none. */
  readonly frontmatter: string | undefined;
  readonly body: string;
  /** The line of the file on which the frontmatter begins, counted from 1. */
  readonly firstLine: number;
  readonly isOpen?: true;
};

/** Some files begin with a comment about their licence. */
const opening = /^(?:\s|<!--[\s\S]*?-->)*---[ \t]*\n/;
const closing = /^(?:---|\.\.\.)[ \t]*(?:\n|$)/m;
const keyLine = /^(?:[ \t#-]|["']?[A-Za-z][\w.-]*["']?[ \t]*:)/;

/** Lines end with a line feed alone. */
export function splitFrontmatter(text: string): SplitText {
  const start = opening.exec(text)?.[0];
  if (start === undefined) return { frontmatter: undefined, body: text, firstLine: 1 };
  const rest = text.slice(start.length);
  const firstLine = start.split("\n").length;
  const end = closing.exec(rest);
  if (end !== null) {
    return { frontmatter: rest.slice(0, end.index), body: rest.slice(end.index + end[0].length), firstLine };
  }
  // Its keys end where the text begins.
  const lines = rest.split("\n");
  const count = lines.findIndex((line) => !keyLine.test(line));
  const keys = lines.slice(0, count === -1 ? lines.length : count);
  const body = lines.slice(keys.length).join("\n");
  return { frontmatter: `${keys.join("\n")}\n`, body, firstLine, isOpen: true };
}
