/** Which keys do what: the defaults with the user's settings over them, and what is wrong with those. */

import { nearNames } from "@kedge/protocol";
import { keybindTexts } from "../texts/settings.ts";
import { type Action, actionNames, actions, isAction, type KeyContext, leaderDefault } from "./actions.ts";
import { canonicalKey, isTyped, parseSequence, splitAlternatives } from "./key-text.ts";
import { opencodeActions, opencodeKeysLeftOut } from "./opencode-actions.ts";

/** A text with commas between alternatives, or a list of them; `none` or false for no key. */
export type KeybindValue = string | false | readonly string[];

export type KeybindConfig = {
  readonly keybinds?: { readonly [action: string]: KeybindValue };
  readonly leader?: string | undefined;
};

export type KeyMatch =
  | { readonly kind: "action"; readonly action: Action }
  /** The beginning of a sequence. */
  | { readonly kind: "pending" }
  | { readonly kind: "none" };

export interface Keybinds {
  /** `pending` are the keys of a sequence so far; names are those of `keyName`. */
  match(pending: readonly string[], key: string, context?: KeyContext): KeyMatch;
  /** For the screen, such as `ctrl+x m`; empty when it has no key. */
  keysOf(action: Action): readonly string[];
}

export type KeybindsResult = { readonly keybinds: Keybinds; readonly warnings: readonly string[] };

type Binding = { readonly action: Action; readonly keys: readonly string[]; readonly isConfigured: boolean };

export function createKeybinds(config: KeybindConfig = {}): KeybindsResult {
  const warnings: string[] = [];
  const { leader: leaderBind, ...configured } = config.keybinds ?? {};
  const leader = readLeader(config.leader ?? leaderBind, warnings);
  const wishes = readWishes(configured, warnings);
  const bindings = actionNames.flatMap((action) => {
    const wish = wishes.get(action);
    return wish === undefined
      ? bind(action, { values: [actions[action].keys], leader, path: undefined, warnings })
      : bind(action, { ...wish, leader, warnings });
  });
  const contexts = { prompt: settle(bindings, "prompt", warnings), reading: settle(bindings, "reading", warnings) };
  const keysOf = new Map(
    actionNames.map((action) => {
      const shown = [...contexts.prompt.byKeys, ...contexts.reading.byKeys].filter(([, found]) => found === action);
      return [action, [...new Set(shown.map(([keys]) => keys))]];
    }),
  );
  const keybinds: Keybinds = {
    match(pending, key, context = "prompt") {
      const { byKeys, beginnings } = contexts[context];
      const keys = [...pending, key].map((one) => canonicalKey(one) ?? one).join(" ");
      const action = byKeys.get(keys);
      if (action !== undefined) return { kind: "action", action };
      return beginnings.has(keys) ? { kind: "pending" } : { kind: "none" };
    },
    keysOf: (action) => keysOf.get(action) ?? [],
  };
  return { keybinds, warnings: [...new Set(warnings)] };
}

function readLeader(value: KeybindValue | undefined, warnings: string[]): string | undefined {
  if (value === undefined) return leaderDefault;
  if (value === false || value === "none") return undefined;
  const key = typeof value === "string" ? canonicalKey(value) : undefined;
  if (key !== undefined && !isTyped(key)) return key;
  warnings.push(keybindTexts.wrongLeader({ value: JSON.stringify(value), used: leaderDefault }));
  return leaderDefault;
}

type Wish = { readonly values: readonly string[]; readonly path: string };

/** Names of our own are stronger than those of OpenCode for the same action. */
function readWishes(
  configured: { readonly [name: string]: KeybindValue },
  warnings: string[],
): ReadonlyMap<Action, Wish> {
  const wishes = new Map<Action, Wish>();
  for (const [name, value] of Object.entries(configured)) {
    const plain = name.replaceAll(".", "_");
    const foreign = Object.hasOwn(opencodeActions, plain) ? opencodeActions[plain] : undefined;
    const action = isAction(plain) ? plain : foreign;
    if (action === undefined) {
      warnings.push(unknownAction(name));
      continue;
    }
    if (action !== plain && wishes.has(action)) continue;
    const leftOut = action === plain ? [] : (opencodeKeysLeftOut[plain] ?? []);
    const values = alternatives(value).filter((keys) => !leftOut.includes(keys));
    wishes.set(action, { values, path: `keybinds.${name}` });
  }
  return wishes;
}

function alternatives(value: KeybindValue): readonly string[] {
  if (value === false) return [];
  const all = (typeof value === "string" ? [value] : value).flatMap(splitAlternatives);
  return all.filter((keys) => keys !== "none");
}

function unknownAction(name: string): string {
  const [near] = nearNames(name, actionNames, { countMax: 1 });
  const next = near === undefined ? keybindTexts.actionNames : keybindTexts.didYouMean(near);
  return keybindTexts.unknownAction({ name, hint: next });
}

type BindOptions = {
  readonly values: readonly string[];
  readonly leader: string | undefined;
  /** Undefined for defaults, of which nothing is told: without a leader they just have no key. */
  readonly path: string | undefined;
  readonly warnings: string[];
};

function bind(action: Action, { values, leader, path, warnings }: BindOptions): readonly Binding[] {
  return values.flatMap(splitAlternatives).flatMap((text) => {
    const result = parseSequence(text, leader);
    const problem = result.ok ? typedProblem(action, result.keys) : result.problem;
    if (result.ok && problem === undefined) return [{ action, keys: result.keys, isConfigured: path !== undefined }];
    if (path !== undefined) warnings.push(keybindTexts.ignored({ path, keys: text, problem: problem ?? "" }));
    return [];
  });
}

function typedProblem(action: Action, [first = ""]: readonly string[]): string | undefined {
  return isTyped(first) && actions[action].isForPrompt ? keybindTexts.blocksTyping : undefined;
}

type Settled = { readonly byKeys: ReadonlyMap<string, Action>; readonly beginnings: ReadonlySet<string> };

/** Of two actions with the same keys the one that the user set has them, otherwise the earlier one of the table. */
function settle(bindings: readonly Binding[], context: KeyContext, warnings: string[]): Settled {
  const here = bindings.filter(({ action, keys: [first = ""] }) =>
    context === "prompt" ? !isTyped(first) : !actions[action].isForPrompt,
  );
  const byKeys = new Map<string, Action>();
  for (const { action, keys } of here.toSorted(
    (left, right) => Number(right.isConfigured) - Number(left.isConfigured),
  )) {
    const name = keys.join(" ");
    const holder = byKeys.get(name);
    if (holder === undefined) byKeys.set(name, action);
    else if (holder !== action) warnings.push(keybindTexts.boundTwice({ keys: name, kept: holder, other: action }));
  }
  return { byKeys, beginnings: beginningsOf(byKeys, warnings) };
}

/** Takes out sequences that begin with what is an action of its own, for nobody can finish them. */
function beginningsOf(byKeys: Map<string, Action>, warnings: string[]): ReadonlySet<string> {
  const beginnings = new Set<string>();
  for (const [name, action] of [...byKeys]) {
    const keys = name.split(" ");
    const starts = keys.slice(1).map((_, index) => keys.slice(0, index + 1).join(" "));
    const cut = starts.find((start) => byKeys.has(start));
    if (cut === undefined) {
      for (const start of starts) beginnings.add(start);
      continue;
    }
    byKeys.delete(name);
    warnings.push(keybindTexts.unreachable({ keys: name, action, prefix: cut, holder: byKeys.get(cut) ?? "" }));
  }
  return beginnings;
}
