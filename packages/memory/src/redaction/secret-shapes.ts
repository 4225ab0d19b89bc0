/** Looks closer at what matched a pattern, so that names, placeholders and code are not taken for secrets. */

export type Found = {
  readonly secret: string;
  readonly groups: { readonly [name: string]: string | undefined };
  readonly text: string;
  /** Where the match begins. */
  readonly index: number;
};

type Shape = (found: Found) => boolean;

const shapes = {
  /** Known by its beginning alone. */
  any: () => true,
  plain: ({ secret }) => !isStandIn(secret),
  /** The last six characters are a checksum; what bears it is a secret whatever it looks like. */
  crc: ({ secret }) => hasChecksum(secret) || !isStandIn(secret),
  mixed: ({ secret }) => (hasDigitAndLetter(secret) || isLongMixture(secret)) && !isStandIn(secret),
  cased: ({ secret }) => (isCased(secret) || isLongMixture(secret)) && !isStandIn(secret),
  /** For short beginnings, which program text has too. */
  dense: ({ secret }) => isCased(secret) && (secret.match(/\d/g)?.length ?? 0) >= 2 && !isStandIn(secret),
  jwt: ({ secret }) => /^eyJ[\w-]+\.eyJ/.test(secret) || hasJsonHeader(secret),
  /** Names in style sheets and documents have the same beginning, but only small letters and hyphens after it. */
  sk: ({ secret }) => (/[\dA-Z]/.test(secret) || !secret.includes("-", 3)) && !/^sk-(?:[\w-]*-)?[xX*.]+$/.test(secret),
  /** User and password in base64, or a token of the registry. */
  login: ({ secret }) => isBasicLogin(secret) || (secret.length >= 24 && isCased(secret) && !isStandIn(secret)),
  /** One of several is enough: all of them go with the same request. */
  cookies: ({ secret }) =>
    secret.split(/;\s*/).some((pair) => {
      const value = pair.slice(pair.indexOf("=") + 1);
      return value.length >= 12 && hasDigitAndLetter(value) && !isPlaceholder(value) && !isCode(value);
    }),
  value: ({ secret }) => !isPlaceholder(secret) && !isReference(secret),
  bearer: ({ secret }) => looksRandom(secret) && !isReference(secret),
  setting: ({ secret }) => hasDigitAndLetter(secret) && !isPlaceholder(secret) && !isCode(secret),
  /** A template in source code names the place of a secret, not the secret. */
  template: ({ secret }) => !secret.includes("${") && !standInLogin.test(secret),
  quoted: ({ secret, groups }) => isQuotedSecret(secret, groups["word"] ?? ""),
  bare: ({ secret, groups, text, index }) =>
    isBareSecret(secret, groups["start"] ?? "", text.slice(Math.max(0, index - charactersBefore), index)),
} as const satisfies { readonly [name: string]: Shape };

export type ShapeName = keyof typeof shapes;

const charactersBefore = 40;

export function isSecretShape(name: ShapeName, found: Found): boolean {
  return shapes[name](found);
}

/** What documents write in the place of a secret. Words of four letters come up by chance in one token of ten thousand. */
function isStandIn(secret: string): boolean {
  return /^(?:[xX]+|[*.]+|0+|[_-]+)$/.test(secret) || /example|placeholder|^your|your[_-]|x{8,}/i.test(secret);
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const checksumLength = 6;

/** As GitHub and npm make it: the CRC-32 of what stands before it, to the base of 62. */
function hasChecksum(body: string): boolean {
  let rest = crc32(body.slice(0, -checksumLength));
  let checksum = "";
  for (let digit = 0; digit < checksumLength; digit++) {
    checksum = base62.charAt(rest % base62.length) + checksum;
    rest = Math.floor(rest / base62.length);
  }
  return body.endsWith(checksum);
}

/** By hand: the module of Node that has it takes longer to load than all tokens of a session take here. */
function crc32(text: string): number {
  let rest = -1;
  for (let place = 0; place < text.length; place++) {
    rest ^= text.charCodeAt(place);
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return ~rest >>> 0;
}

function isBasicLogin(secret: string): boolean {
  return /^[\x20-\x7e]{1,200}:[\x20-\x7e]*$/.test(Buffer.from(secret, "base64").toString("latin1"));
}

function hasJsonHeader(token: string): boolean {
  const header = Buffer.from(token.slice(0, token.indexOf(".")), "base64url").toString("latin1");
  return /^\{"[\w-]{1,20}"\s*:/.test(header) && header.endsWith("}");
}

function hasDigitAndLetter(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value);
}

/** One long token in a few hundred has no digit by chance; no name has small letters and capitals mixed like this. */
function isLongMixture(value: string): boolean {
  return value.length >= 24 && (value.match(/[a-z][A-Z]|[A-Z][a-z]/g)?.length ?? 0) >= value.length / 4;
}

function isCased(value: string): boolean {
  return /\d/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value);
}

function looksRandom(value: string): boolean {
  return /\d/.test(value) || value.length >= 24;
}

/** A literal in quotes. Lexers speak of tokens and forms label their passwords, so those need a closer look. */
function isQuotedSecret(value: string, word: string): boolean {
  if (isPlaceholder(value) || value.toLowerCase() === word.toLowerCase()) return false;
  if (isReference(value) || isName(value, word) || isVersionRange(value)) return false;
  return !/token|credential/i.test(word) || looksRandom(value);
}

/** What holds the word itself names the thing: `RESET_PASSWORD = "reset_password"`, `'[type=password]'`. */
function isName(value: string, word: string): boolean {
  return !/\d/.test(value) && (value.toLowerCase().includes(word.toLowerCase()) || /^your[_-]/i.test(value));
}

/** In manifests, behind the name of a package such as `auth-token`. */
function isVersionRange(value: string): boolean {
  return /^(?:[~^]|[<>]=?)\d+(?:\.\d+){1,2}$/.test(value);
}

const standInLogin =
  /^(?:(?:[^:]*:)?(?:<|\{|%|\$|\*+$|x+$)|(?:db)?(?:user|username|usr|login|name|foo)(?::(?:pass|password|passwd|pwd|pw|secret|bar))?$)/i;

/** Without quotes most right-hand sides are code; `NAME=value` and `name: value` in a file of settings are not. */
function isBareSecret(value: string, start: string, before: string): boolean {
  if (isPlaceholder(value) || isCode(value) || isReference(value) || declares.test(before)) return false;
  if (/\w=$/.test(start)) return /[A-Z]=$/.test(start) || /\d/.test(value) || !/[A-Z_.]/.test(value);
  return value.length >= 8 && (hasDigitAndLetter(value) || isJumble(value));
}

/** Chance leaves the digit out of one password in thirty. Names are made of words, and words have vowels. */
function isJumble(value: string): boolean {
  if (value.length < 16 || !/^[A-Za-z]+$/.test(value)) return false;
  const words = value.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return words.filter((word) => !/[aeiouy]/i.test(word)).length >= 3;
}

const declares = /(?:\b(?:const|let|var|type|readonly)\s+|\bthis\.)[\w.]*$/;

function isCode(value: string): boolean {
  return (
    /^[A-Za-z_]\w*(?:\??\.[A-Za-z_]\w*)+$/.test(value) || /^(?:string|number|boolean|unknown|undefined)\b/.test(value)
  );
}

/** Says where a secret is kept. */
function isReference(value: string): boolean {
  return /^(?:process\.env|os\.environ|env\.|vault:|op:\/\/|secretRef|arn:aws:|\/run\/secrets)/.test(value);
}

function isPlaceholder(value: string): boolean {
  return /^(?:[$<%{]|\[REDACTED|\*+$|x+$|\.+$|(?:true|false|null|none)$)/i.test(value) || isAdvice(value);
}

const adviceWord =
  /^(?:your|changeme|change[-_]?(?:me|this|it)|replace|insert|enter|put|paste|add|fill|placeholder|example|sample|dummy|fake|todo|fixme)(?:[-_.]|$)|[-_](?:here|placeholder|example)$/i;

/** Words without a digit that tell the reader to put something in their place: `your-api-key-here`, `change_me`. */
function isAdvice(value: string): boolean {
  return /^[A-Za-z]+(?:[-_.][A-Za-z]+)*$/.test(value) && adviceWord.test(value);
}
