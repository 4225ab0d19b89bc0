/** Sizes, ages and names as a model reads them in one line. */

const units = ["bytes", "KB", "MB", "GB", "TB"] as const;
const unitStep = 1_024;

export function sizeInWords(bytes: number): string {
  let unit = 0;
  let amount = bytes;
  while (amount >= unitStep && unit < units.length - 1) {
    amount /= unitStep;
    unit += 1;
  }
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[unit]}`;
}

const ageUnits = [
  ["y", 31_557_600],
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60],
] as const;

export function ageInWords(ageMs: number): string {
  const seconds = Math.max(0, Math.floor(ageMs / 1_000));
  for (const [name, length] of ageUnits) if (seconds >= length) return `${Math.floor(seconds / length)}${name}`;
  return `${seconds}s`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const controlCharacters = /[\x00-\x1f\x7f-\x9f\u2028\u2029]/;

/** A name that cannot break out of its line: one with control characters comes as a JSON string. */
export function nameInWords(name: string): string {
  return controlCharacters.test(name) ? JSON.stringify(name) : name;
}
