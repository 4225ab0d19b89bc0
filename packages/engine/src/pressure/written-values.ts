/** Finds implementation code that gives back exactly what a failing test expects. */
import type { DiffLine } from "@kedge/protocol";
import type { HunkCode } from "./diff-code.ts";
import { plainValue } from "./runner-output.ts";
import type { Evidence } from "./signals.ts";

/** Right answers of so many honest functions that they say nothing. */
const commonValues: ReadonlySet<string> = new Set(
  'true false True False null undefined None nil NaN 0 1 -1 0.0 "" [] {} () set() map[] <nil>'.split(" "),
);

const returned = /(?:\breturn\b|=>|\byield\b)\s*\(?(?<value>[^\s=].*?)\)?;?\s*\}?[;,]?\s*$/;
/** The last expression of a body is its value. */
const lastExpression = /^\s*(?<value>"[^"]*"|-?\d[\d._]*|String::from\("[^"]*"\))(?:\.\w+\(\))?\s*$/;
const entry = /^\s*\[?(?:"[^"]*"|'[^']*'|-?\d[\d.]*)\]?\s*(?::|=>)\s*(?<value>.+?),?\s*$/;
const condition = /\b(?:if|elif|else|elsif|unless|case|when|switch|match|for|while|catch|except|default)\b|\?|&&|\|\|/;
/** A plain name or property compared with a literal: code for one input. A computed side, such as a remainder, is none. */
const oneInput =
  /(?:\b(?:if|elif|elsif|when|unless|and|or|return)\b|&&|\|\||[(?:]|^)\s*[\w.]+(?:\([\w.]*\))?(?:\[[^\]]*\])?\s*(?:={2,3}|\.equals\()\s*(?<literal>"[^"]*"|'[^']*'|`[^`]*`|-?\d[\d.]*|\[[^\]]*\])|\b(?:case|when)\s+(?<label>"[^"]*"|'[^']*'|-?\d[\d.]*)\s*(?::|then|=>|$)/;
const literals = /"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|(?<![\w.])-?\d[\d_]*(?:\.\d+)?(?![\w.])|\[[^\]\n]*\]/g;

export function findWrittenValues(hunks: readonly HunkCode[], expected: ReadonlySet<string>): readonly Evidence[] {
  if (expected.size === 0) return [];
  for (const { path, implementation } of hunks) {
    const value = writtenValue(implementation, expected);
    if (value !== undefined) {
      return [{ signal: "expectedValueWritten", why: `${path} returns ${value}, the value a failing test expects` }];
    }
  }
  return [];
}

function writtenValue(lines: readonly DiffLine[], expected: ReadonlySet<string>): string | undefined {
  const wanted = (value: string | undefined) => {
    const plain = value === undefined ? "" : plainValue(unwrapped(value));
    return expected.has(plain) && !commonValues.has(plain) ? plain : undefined;
  };
  const removed = new Set(lines.filter(({ kind }) => kind === "removed").flatMap(({ text }) => literalsOf(text)));
  let previous = "";
  for (const { kind, text } of lines) {
    if (kind === "removed" || text.trim() === "") continue;
    const before = previous;
    previous = text;
    if (kind !== "added") continue;
    const isForOneInput = hasOneInput(text) || (hasOneInput(before) && !returned.test(before));
    const found = isForOneInput
      ? literalsOf(text).find((literal) => wanted(literal) !== undefined)
      : (wanted(entry.exec(text)?.groups?.["value"]) ?? unconditional(text, before, wanted));
    if (found !== undefined && !removed.has(plainValue(found))) return found;
  }
  return undefined;
}

/** Behind a condition that computes something, a literal is ordinary code. */
function unconditional(text: string, before: string, wanted: (value: string | undefined) => string | undefined) {
  const value = returned.exec(text)?.groups?.["value"] ?? lastExpression.exec(text)?.groups?.["value"];
  if (value === undefined || condition.test(text.slice(0, text.lastIndexOf(value)))) return undefined;
  const isGuarded = condition.test(before) && !/\breturn\b/.test(before);
  return isGuarded ? undefined : wanted(value);
}

function hasOneInput(text: string): boolean {
  const groups = oneInput.exec(text)?.groups;
  const literal = groups?.["literal"] ?? groups?.["label"];
  return literal !== undefined && !commonValues.has(plainValue(literal));
}

function literalsOf(text: string): readonly string[] {
  return (text.match(literals) ?? []).map(plainValue);
}

function unwrapped(value: string): string {
  return value
    .replace(/\.(?:to_string|to_owned|into|to_vec)\(\)$/, "")
    .replace(/^String::from\((.*)\)$/, "$1")
    .replace(/^vec!/, "");
}
