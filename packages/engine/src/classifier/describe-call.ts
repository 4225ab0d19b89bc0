/** Writes a call and the user's words as data between marks, each value quoted on one line, so that none can leave it. */

export type ClassifiedCall = {
  readonly tool: string;
  /** What the call would do, as the tool states it to those who permit it. */
  readonly needs: readonly string[];
  /** What it would write, as a person would be shown it. */
  readonly detail?: string;
  readonly cwd: string;
  /** The user's own words of this run. Neither answers of the model nor results belong here. */
  readonly userTexts: readonly string[];
};

/** More could not be judged by a small model. */
const callCharactersMax = 6_000;
/** Nothing is left out of what the user said: what is missing could be what they forbade. */
const userCharactersMax = 16_000;

/** Undefined when it is too long to be judged. */
export function describeCall(call: ClassifiedCall, redact: (text: string) => string): string | undefined {
  const value = (text: string) => quote(redact(text));
  const said = call.userTexts.map(value).join("\n");
  const wanted = [
    `tool: ${value(call.tool)}`,
    `directory: ${value(call.cwd)}`,
    ...call.needs.map((need) => `need: ${value(need)}`),
    ...(call.detail === undefined ? [] : [`change: ${value(call.detail)}`]),
  ].join("\n");
  if (said.length > userCharactersMax || wanted.length > callCharactersMax) return undefined;
  return ["BEGIN what the user said", said, "END what the user said", "BEGIN the call", wanted, "END the call"].join(
    "\n",
  );
}

/** What a terminal or a reader would not see is written out. */
const unseen = /[\u007f-\u00a0\u2028\u2029\u3164\uffa0\p{Cf}\p{Variation_Selector}]/gu;

function quote(text: string): string {
  const value = JSON.stringify(withoutMarks(text));
  return value.replaceAll(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** The words of the marks stand in data only in small letters, also where it writes them in letters of other shapes. */
function withoutMarks(text: string): string {
  return text.replaceAll(/[\p{L}\p{M}\p{Cf}]+/gu, (word) => {
    const plain = word
      .normalize("NFKD")
      .replaceAll(/[\p{M}\p{Cf}]/gu, "")
      .toLowerCase();
    return plain === "begin" || plain === "end" ? plain : word;
  });
}
