/** Which required parameters of a command are not given yet, and the questions that ask for them. */
import type { QueryAnswers, Question } from "@kedge/protocol";

export type Parameter = NonNullable<QueryAnswers["command.list"]["commands"][number]["parameters"]>[number];

/** As the engine fills them in: those named first, then the rest by position. It has the last word. */
export function missingParameters(parameters: readonly Parameter[], argument: string): readonly Parameter[] {
  const words = argument.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"']|["'])+/gs) ?? [];
  const names = new Set(parameters.map(({ name }) => name));
  const named = new Set(words.map((word) => word.slice(0, word.indexOf("="))).filter((name) => names.has(name)));
  const positions = words.filter((word) => !named.has(word.slice(0, word.indexOf("="))));
  const open = parameters.filter(({ name }) => !named.has(name)).slice(positions.length);
  return open.filter(({ isRequired }) => isRequired);
}

export function questionsFor(parameters: readonly Parameter[]): readonly Question[] {
  return parameters.map(({ name, description, choices }) => ({
    question: description === undefined ? `${name}?` : `${name}: ${description}`,
    options: choices.map((choice) => ({ label: choice, description: "" })),
  }));
}

/** What was typed, with the answers behind it by their names. */
export function withAnswers(argument: string, parameters: readonly Parameter[], answers: readonly string[]): string {
  const given = parameters.map(({ name }, at) => `${name}=${quoted(answers[at] ?? "")}`);
  return [argument, ...given].filter((each) => each !== "").join(" ");
}

/** As one word, whatever is in it. */
function quoted(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}
