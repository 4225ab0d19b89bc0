/** Further spellings of a command, on which rules that deny or ask are tried. */
import type { ShellWord } from "../shell-command.ts";
import type { CommandShape } from "./program-call.ts";
import type { FoundOption } from "./read-options.ts";

const textsMax = 48;
const flagsOrderedMax = 3;

export function findOtherTexts(
  words: readonly ShellWord[],
  name: string,
  {
    shape,
    otherWords,
  }: { readonly shape: CommandShape | undefined; readonly otherWords: readonly (readonly string[])[] },
): readonly string[] {
  const own = join(words.map((word) => word.text));
  const texts = new Set<string>();
  const program = words[0]?.text ?? "";
  const rest = words.slice(1).map((word) => word.text);
  const base = program.slice(program.lastIndexOf("/") + 1);
  texts.add(join([base, ...rest]));
  texts.add(join([base.toLowerCase(), ...rest]));
  texts.add(join([name, ...rest]));
  for (const parts of otherWords) texts.add(join(parts));
  if (shape !== undefined) addShaped(shape, texts);
  texts.delete(own);
  return [...texts].slice(0, textsMax);
}

/** Every option in front once, in every spelling, so that `git push origin --forc` meets a rule for `git push -f*`. */
function addShaped({ lead, read }: CommandShape, texts: Set<string>): void {
  const operands = read.operands.map((word) => word.text);
  const { options } = read;
  const plain = options.map((option) => write(option, option.name));
  texts.add(join([...lead, ...plain.flat(), ...operands]));
  if (options.length === 0) return;
  texts.add(join([...lead, ...operands, ...plain.flat()]));
  addJoinedFlags(lead, options, operands, texts);
  for (const form of [/^--/, /^-[^-]/]) {
    const alike = options.flatMap((option) =>
      write(option, spellingsOf(option).find((spelling) => form.test(spelling)) ?? option.name),
    );
    texts.add(join([...lead, ...alike, ...operands]));
  }
  for (let index = 0; index < options.length && texts.size < textsMax; index += 1) {
    const option = options[index];
    if (option === undefined) continue;
    const others = plain.filter((_, other) => other !== index).flat();
    for (const spelling of spellingsOf(option)) {
      for (const front of writeAll(option, spelling)) texts.add(join([...lead, ...front, ...others, ...operands]));
    }
  }
}

/** `-r -f`, `-rf` and `-fr` are the same; a rule may name any. */
function addJoinedFlags(
  lead: readonly string[],
  options: readonly FoundOption[],
  operands: readonly string[],
  texts: Set<string>,
): void {
  const letters = new Set<string>();
  const others: string[] = [];
  for (const option of options) {
    const letter = option.value === undefined ? findLetter(option) : undefined;
    if (letter === undefined) others.push(...write(option, option.name));
    else letters.add(letter);
  }
  if (letters.size < 2 || letters.size > flagsOrderedMax) return;
  const tail = [...others, ...operands];
  for (const order of permute([...letters])) {
    texts.add(join([...lead, `-${order.join("")}`, ...tail]));
    if (letters.size <= 2) texts.add(join([...lead, ...order.map((letter) => `-${letter}`), ...tail]));
  }
}

function findLetter(option: FoundOption): string | undefined {
  const short = spellingsOf(option).find((name) => /^-[A-Za-z]$/.test(name));
  return short?.[1];
}

function spellingsOf(option: FoundOption): readonly string[] {
  const spellings = option.rule?.spellings ?? [];
  return spellings.length === 0 ? [option.name] : spellings;
}

function permute(letters: readonly string[]): readonly (readonly string[])[] {
  if (letters.length <= 1) return [letters];
  return letters.flatMap((letter, index) =>
    permute([...letters.slice(0, index), ...letters.slice(index + 1)]).map((rest) => [letter, ...rest]),
  );
}

function write(option: FoundOption, spelling: string): readonly string[] {
  if (option.value === undefined) return [spelling];
  if (!option.value.isAttached) return [spelling, option.value.text];
  return spelling.startsWith("--") ? [`${spelling}=${option.value.text}`] : [`${spelling}${option.value.text}`];
}

function writeAll(option: FoundOption, spelling: string): readonly (readonly string[])[] {
  if (option.value === undefined) return [[spelling]];
  const { text } = option.value;
  return [[spelling, text], [spelling.startsWith("--") ? `${spelling}=${text}` : `${spelling}${text}`]];
}

function join(parts: readonly string[]): string {
  return (parts.includes("") ? parts.map((part) => part || "''") : parts).join(" ");
}
