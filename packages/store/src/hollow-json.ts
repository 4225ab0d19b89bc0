/**
 * JSON whose long strings stand apart, all behind each other. Read back, a string is a piece of the text they make, which
 * costs neither a copy nor the collector's time: a fifth of the time and of the memory of 10,000 messages.
 */

/** Where strings stood there are their lengths. Those beyond Latin-1 are apart, because they take twice the memory. */
export type Hollow = { readonly json: string; readonly latin: string; readonly wide: string };

/** A piece of a text takes as much room itself as some 30 characters. */
const apartFrom = 64;

/** What a string begins with that stands for another; one that begins so itself is apart, however short. */
const latinMark = "\u0000";
const wideMark = "\u0001";
const lastMarkCode = 1;

export function hollowed(value: unknown): Hollow {
  const latin: string[] = [];
  const wide: string[] = [];
  const json = JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== "string") return inner;
    if (inner.length < apartFrom && !(inner.charCodeAt(0) <= lastMarkCode)) return inner;
    const isWide = hasWideCharacter(inner);
    (isWide ? wide : latin).push(inner);
    return `${isWide ? wideMark : latinMark}${inner.length}`;
  });
  return { json, latin: latin.join(""), wide: wide.join("") };
}

export function hasWideCharacter(text: string): boolean {
  return /[\u0100-\uffff]/.test(text);
}

/** Puts the strings back into what the JSON was parsed to; false when they are not those that were taken out. */
export function fillIn(value: unknown, { latin, wide }: Pick<Hollow, "latin" | "wide">): boolean {
  let [latinAt, wideAt] = [0, 0];

  function meant(mark: string): string {
    const length = Number(mark.slice(1));
    if (mark.charCodeAt(0) === lastMarkCode) {
      wideAt += length;
      return wide.slice(wideAt - length, wideAt);
    }
    latinAt += length;
    return latin.slice(latinAt - length, latinAt);
  }

  /** In the order in which JSON writes them. */
  function fill(holder: Record<string, unknown>): void {
    for (const name in holder) {
      const inner = holder[name];
      if (typeof inner === "string") {
        if (inner.charCodeAt(0) <= lastMarkCode) holder[name] = meant(inner);
      } else if (typeof inner === "object" && inner !== null) fill(inner as Record<string, unknown>);
    }
  }

  if (typeof value === "object" && value !== null) fill(value as Record<string, unknown>);
  return latinAt === latin.length && wideAt === wide.length;
}
