/** The one redactor: puts `[REDACTED:<kind>]` in place of secrets before text reaches a model, a log, an event or disk. */

type Rule = {
  readonly kind: string;
  /** Global, and used with `replace` only, which starts every call from the beginning. */
  readonly pattern: RegExp;
  /** Looks closer at a match; gives what to put in its place, or the match itself to leave it alone. */
  readonly replace?: (match: Match, mark: string) => string;
};

type Match = { readonly text: string; readonly groups: readonly (string | undefined)[]; readonly before: string };

/** Ordinary text has none of these, so that most calls end after one pass. */
const anyTrigger =
  /-----BEGIN|eyJ|bearer|authorization|gh[pousr]_|github_pat_|sk-|AKIA|ASIA|xox|AIza|:\/\/[^\s/]*@|passw|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key/i;

const knownValueCharactersMin = 6;

/** Replaces known values first, then everything that looks like a secret. Keeps nothing between calls. */
export function redactSecrets(text: string, knownValues: readonly string[]): string {
  let redacted = text;
  // The longest first, because one value may be the beginning of another.
  const values = knownValues.filter((value) => value.length >= knownValueCharactersMin && text.includes(value));
  for (const value of values.sort((left, right) => right.length - left.length))
    redacted = redacted.replaceAll(value, "[REDACTED:credential]");
  if (!anyTrigger.test(redacted)) return redacted;
  for (const rule of rules) redacted = applyRule(redacted, rule);
  return redacted;
}

const charactersBefore = 40;

function applyRule(text: string, { kind, pattern, replace }: Rule): string {
  const mark = `[REDACTED:${kind}]`;
  if (replace === undefined) return text.replace(pattern, mark);
  let redacted = "";
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    const before = text.slice(Math.max(0, match.index - charactersBefore), match.index);
    redacted += text.slice(done, match.index) + replace({ text: match[0], groups: match, before }, mark);
    done = match.index + match[0].length;
  }
  return redacted + text.slice(done);
}

const rules: readonly Rule[] = [
  {
    kind: "private-key",
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----((?:[^-]|-(?!----)){0,20000})-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/g,
    replace: (match, mark) => (holdsKeyBody(match.groups[1] ?? "") ? mark : match.text),
  },
  {
    // A block whose end was cut off still shows its body.
    kind: "private-key",
    pattern: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:(?:\s|\\n|\\r)*[A-Za-z0-9+/=]{16,})+/g,
  },
  { kind: "jwt", pattern: /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g },
  {
    kind: "authorization",
    pattern: /\b(authorization["']?\s*[:=]\s*["']?(?:basic|token|digest)\s+)[^\s"',;]{6,}/gi,
    replace: (match, mark) => `${match.groups[1]}${mark}`,
  },
  {
    kind: "bearer",
    pattern: /\b(bearer\s+)([\w.~+/=-]{8,})/gi,
    replace: (match, mark) => (looksRandom(match.groups[2] ?? "") ? `${match.groups[1]}${mark}` : match.text),
  },
  { kind: "github-token", pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{20,})/g },
  {
    kind: "api-key",
    pattern: /(?<![\w-])sk-[\w-]{16,}/g,
    // Names in style sheets and documents have the same beginning, but only small letters and hyphens after it.
    replace: (match, mark) => (/[\dA-Z]/.test(match.text) || !match.text.includes("-", 3) ? mark : match.text),
  },
  { kind: "aws-key", pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: "slack-token", pattern: /\bxox[a-z]-[\w-]{10,}/g },
  { kind: "google-key", pattern: /\bAIza[\w-]{30,}/g },
  {
    kind: "url-credentials",
    pattern: /(?<=\b[a-z][a-z0-9+.-]*:\/\/)[^\s/:@"'`<>?#]*:[^\s/"'`<>?#]+(?=@)/gi,
    // A template in source code names the place of a secret, not the secret.
    replace: (match, mark) => (match.text.includes("${") ? match.text : mark),
  },
  {
    kind: "url-credentials",
    pattern: /(?<=\bhttps?:\/\/)[^\s/:@"'`<>?#[]+(?=@[\w[])/gi,
    replace: (match, mark) => (match.text.includes("${") ? match.text : mark),
  },
  {
    kind: "assignment",
    pattern:
      /((password|passwd|passphrase|secret|token|(?:api|access|private|secret)[_-]?key)\\?["']?[^\S\r\n]*(?::=|=>|[:=](?![=:]))[^\S\r\n]*)(?:(\\?["'`])([^"'`\s\\]{6,})\3|([^\s"'`(),;[\]{}<>&|$]{6,})(?=[\s&"'`|]|$))/gim,
    replace: (match, mark) => {
      const [, start = "", word = "", quote, quoted, bare = ""] = match.groups;
      if (quoted !== undefined) return isQuotedSecret(quoted, word) ? `${start}${quote}${mark}${quote}` : match.text;
      return isBareSecret(bare, start, match.before) ? start + mark : match.text;
    },
  },
];

function holdsKeyBody(body: string): boolean {
  const plain = body.replaceAll(/\\[nr]|\s|^[\w-]+: .*$/gm, "");
  return /[A-Za-z0-9+/=]{32,}/.test(plain) || /^[A-Za-z0-9+/=]{4,}$/.test(plain);
}

function looksRandom(value: string): boolean {
  return /\d/.test(value) || value.length >= 24;
}

/** A literal in quotes. Lexers speak of tokens and forms label their passwords, so those need a closer look. */
function isQuotedSecret(value: string, word: string): boolean {
  if (isPlaceholder(value) || value.toLowerCase() === word.toLowerCase()) return false;
  return word.toLowerCase() !== "token" || looksRandom(value);
}

/** Without quotes most right-hand sides are code; `NAME=value` and `name: value` in a file of settings are not. */
function isBareSecret(value: string, start: string, before: string): boolean {
  if (isPlaceholder(value) || isCode(value) || declares.test(before)) return false;
  if (/\w=$/.test(start)) return /[A-Z]=$/.test(start) || /\d/.test(value) || !/[A-Z_.]/.test(value);
  return value.length >= 8 && /\d/.test(value) && /[A-Za-z]/.test(value);
}

const declares = /(?:\b(?:const|let|var|type|readonly)\s+|\bthis\.)[\w.]*$/;

function isCode(value: string): boolean {
  return (
    /^[A-Za-z_]\w*(?:\??\.[A-Za-z_]\w*)+$/.test(value) || /^(?:string|number|boolean|unknown|undefined)\b/.test(value)
  );
}

function isPlaceholder(value: string): boolean {
  return /^(?:[$<%{]|\[REDACTED|\*+$|x+$|\.+$|(?:true|false|null|none)$)/i.test(value);
}
