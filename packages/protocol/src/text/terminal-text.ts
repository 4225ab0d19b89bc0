/** Makes text from models, tools and files harmless for a terminal: only kedge itself emits escape codes. */

const escapeCode = "\\u001b";
const stringEnd = "(?:\\u0007|\\u001b\\\\|\\u009c)";
/** Ends at any control character, so that a flood of introducers is not searched to its end for each of them. */
const stringBody = "[^\\u0000-\\u001f\\u007f-\\u009f]*";

/** Whole sequences first, so that their parameters go with them. An unfinished one loses only its introducer. */
const sequences = [
  // Commands with a text: titles, clipboard, links, device control.
  `(?:${escapeCode}[\\]PX^_]|[\\u009d\\u0090\\u0098\\u009e\\u009f])${stringBody}${stringEnd}`,
  // Colours, cursor movement, modes.
  `(?:${escapeCode}\\[|\\u009b)[0-?]*[ -/]*[@-~]`,
  // Character sets and single functions.
  `${escapeCode}[ -/]+[0-~]`,
  `${escapeCode}[0-~]`,
].join("|");

/** C0 but tab and line feed, DEL, C1. */
const controls = "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]";

/** Marks that reorder text, take no room, or carry hidden text. */
const invisibles =
  "[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\u206a-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb]|[\\u{e0000}-\\u{e0fff}]";

/** An emoji that asks for its colours, and a key cap: the two places where this selector is no hidden letter. */
const ordinarySelector = "(?<=\\p{Extended_Pictographic})\\ufe0f|(?<=[0-9#*])\\ufe0f\\u20e3";

/** Everything that has no look of its own or the look of a space, whichever the Unicode of tomorrow adds. */
const unseen =
  "[\\p{Default_Ignorable_Code_Point}\\p{Cf}\\p{Cs}\\p{Zs}\\p{Zl}\\p{Zp}\\u2800\\u{16fe4}\\u{1d159}\\ufff9-\\ufffb]";

/** Nearly all text is of these, and for it nothing else has to be built. */
const beyondPlain = /[^\t\n -~]/;

/** Built with the first text that needs them: properties of Unicode take about 1 ms, which no start has to spend. */
const flowing = lazily(() => ({
  any: new RegExp(`${controls}|${invisibles}`, "u"),
  every: new RegExp(`${sequences}|${controls}|${invisibles}`, "gu"),
}));
const sequencesOnly = lazily(() => new RegExp(`${sequences}|${controls}`, "gu"));
const judged = lazily(() => new RegExp(`${controls}|(?! |${ordinarySelector})${unseen}`, "gu"));

function lazily<Value>(build: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= build();
    return value;
  };
}

/** For text that flows: sequences and invisible marks vanish, a carriage return becomes a line feed. */
export function stripTerminalControls(text: string): string {
  if (!beyondPlain.test(text)) return text;
  const { any, every } = flowing();
  return any.test(text) ? withoutMatches(text, every) : text;
}

/** For screens that make invisible marks visible: only sequences and control characters vanish. */
export function stripControlSequences(text: string): string {
  return beyondPlain.test(text) ? withoutMatches(text, sequencesOnly()) : text;
}

function withoutMatches(text: string, every: RegExp): string {
  return text.replaceAll(every, (match: string, index: number) => {
    const endsLine = match === "\r" && text[index + 1] !== "\n" && text[index + 1] !== "\r";
    return endsLine ? "\n" : "";
  });
}

/** For values a person must judge, such as a command: nothing is taken away, everything unsafe is made visible. */
export function showTerminalControls(text: string): string {
  return beyondPlain.test(text) ? text.replaceAll(judged(), visibleForm) : text;
}

const deleteCode = 0x7f;

function visibleForm(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === deleteCode) return "␡";
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
