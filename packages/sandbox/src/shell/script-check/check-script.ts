/** Lists what in a shell script a person should look at before running it. Nothing is run; no finding is no proof. */
import { textBeside } from "@kedge/protocol/text-file";
import { baseName, listCommands, type ScriptCommand } from "./script-commands.ts";

export type ScriptFinding = {
  readonly severity: "high" | "medium" | "low";
  readonly rule: string;
  readonly line: number;
  /** The command, as far as it is known. */
  readonly text: string;
  readonly why: string;
};

/** All expressions of a row have to match, each on its part of one command. */
type RuleRow = RuleHead & {
  /** The name of the program without its directory. */
  readonly program?: string;
  /** The program and its arguments as one text. */
  readonly words?: string;
  readonly argument?: string;
  /** A file that a redirection writes. */
  readonly writes?: string;
  /** A command whose output it reads, or a text given to it. */
  readonly feeds?: string;
  /** `NAME=value`, before a command, alone or after `export`. */
  readonly assigns?: string;
  /** The program, where it is the value of a variable or the output of a command. */
  readonly computed?: string;
};

type RuleHead = Pick<ScriptFinding, "severity" | "rule" | "why">;
type Rule = RuleHead & { readonly matches: (command: ScriptCommand) => boolean };

const textCharactersMax = 200;

/** Made with the first script. */
let rules: readonly Rule[] | undefined;

export function checkScript(text: string): readonly ScriptFinding[] {
  rules ??= readRules();
  const { commands, unread } = listCommands(text.replaceAll("\r\n", "\n"));
  const fetched = new Set<string>();
  const findings: ScriptFinding[] = [];
  for (const command of commands) {
    const own: RuleHead[] = rules.filter(({ matches }) => matches(command));
    if (runsFetched(command, fetched)) own.push(fetchedThenRun);
    noteFetched(command, fetched);
    for (const { severity, rule, why } of own)
      findings.push({ severity, rule, line: command.line, text: shown(command), why });
  }
  const lines = text.split("\n");
  for (const line of unread) {
    const why = "this line is not understood, so nothing is known about it";
    findings.push({ severity: "low", rule: "not-understood", line, text: (lines[line - 1] ?? "").trim(), why });
  }
  return onePerRule(findings).toSorted((left, right) => left.line - right.line);
}

/** Of a rule the gravest finding of a line; a lesser one of the same kind says nothing more. */
function onePerRule(findings: readonly ScriptFinding[]): readonly ScriptFinding[] {
  const kept = new Map<string, ScriptFinding>();
  for (const finding of findings) {
    const key = `${finding.line} ${kindOf(finding.rule)}`;
    const before = kept.get(key);
    if (before === undefined || rank[finding.severity] > rank[before.severity]) kept.set(key, finding);
  }
  return [...kept.values()];
}

const rank = { high: 2, medium: 1, low: 0 } as const;

function kindOf(rule: string): string {
  return rule.split("-", 1)[0] ?? rule;
}

function readRules(): readonly Rule[] {
  // Our own file, which the test of this module checks.
  const rows = JSON.parse(textBeside(import.meta.url, "./script-rules.json")) as readonly RuleRow[];
  return rows.map((row) => ({ severity: row.severity, rule: row.rule, why: row.why, matches: matcherOf(row) }));
}

function matcherOf(row: RuleRow): (command: ScriptCommand) => boolean {
  const tests: ((command: ScriptCommand) => boolean)[] = [];
  const add = (source: string | undefined, textsOf: (command: ScriptCommand) => readonly string[]) => {
    if (source === undefined) return;
    const expression = new RegExp(source);
    tests.push((command) => textsOf(command).some((each) => expression.test(each)));
  };
  add(row.program, ({ words }) => words.slice(0, 1).map(baseName));
  add(row.words, ({ words }) => [words.join(" ")]);
  add(row.argument, ({ words }) => words.slice(1));
  add(row.writes, ({ writes }) => writes);
  add(row.feeds, ({ feeds }) => feeds);
  add(row.assigns, ({ assignments, words }) => [...assignments, ...exported(words)]);
  add(row.computed, ({ isProgramComputed, words }) => (isProgramComputed ? words.slice(0, 1) : []));
  return (command) => tests.every((test) => test(command));
}

function exported([program = "", ...rest]: readonly string[]): readonly string[] {
  return ["export", "declare", "typeset", "readonly", "local", "env"].includes(program) ? rest : [];
}

const fetchedThenRun = {
  severity: "high",
  rule: "run-fetched",
  why: "runs a file that it downloaded, and nothing checks it in between",
} as const satisfies RuleHead;

/** A checksum or a signature between the download and the run makes it as good as its source. */
const checking = /^(?:sha\d*sum|shasum|md5sum|gpg\d?|minisign|cosign|openssl|b2sum)$/;
const running = /^(?:(?:ba|z|da|k|a)?sh|python[\d.]*|perl|ruby|node|source|\.)$/;

function noteFetched({ words, writes, feeds }: ScriptCommand, fetched: Set<string>): void {
  const program = baseName(words[0] ?? "");
  if (checking.test(program)) fetched.clear();
  if (program !== "curl" && program !== "wget") {
    if (feeds.some((each) => /^(?:curl|wget)\b/.test(each))) for (const file of writes) fetched.add(file);
    return;
  }
  for (const file of writes) fetched.add(file);
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    if (/^(?:-[a-zA-Z]*[oO]|--output|--output-document)$/.test(word) && next !== undefined) fetched.add(next);
    const joined = /^--output(?:-document)?=(.+)/.exec(word)?.[1];
    if (joined !== undefined) fetched.add(joined);
    // Without a name it is called as in the address.
    if (
      /^https?:/.test(word) &&
      (program === "wget" || words.some((each) => /^-[a-zA-Z]*O|^--remote-name/.test(each)))
    ) {
      fetched.add(baseName(word));
    }
  }
}

function runsFetched({ words }: ScriptCommand, fetched: ReadonlySet<string>): boolean {
  const [program = "", ...rest] = words;
  const isFetched = (file: string) =>
    fetched.has(file) || fetched.has(file.replace(/^\.\//, "")) || fetched.has(`./${file}`);
  if (isFetched(program)) return true;
  return running.test(baseName(program)) && rest.some(isFetched);
}

function shown({ words, assignments, writes }: ScriptCommand): string {
  const text = [...assignments, ...words, ...writes.map((file) => `> ${file}`)].join(" ").replaceAll(/\s+/g, " ");
  return text.length > textCharactersMax ? `${text.slice(0, textCharactersMax)}…` : text;
}
