/** Finds the regions that git marks in a text where two sides of a merge disagree. */

/** Texts are whole lines as they stand in the file. Lines count from 1 and include the markers. */
export type MarkedRegion = {
  readonly startLine: number;
  readonly endLine: number;
  readonly ours: string;
  readonly theirs: string;
  /** What both sides started from, where git was told to show it. */
  readonly base?: string;
  readonly oursLabel: string;
  readonly theirsLabel: string;
};

type Marker = {
  readonly sign: "<" | "|" | "=" | ">";
  readonly label: string;
  readonly line: number;
  /** Of the marker's line, and of the one after it. */
  readonly start: number;
  readonly next: number;
};

/** A region whose end has not come yet. */
type OpenRegion = {
  readonly first: Marker;
  base?: Marker;
  middle?: Marker;
  /** Its markers contradict each other, or there are others inside of it. */
  isBroken: boolean;
  /** Regions inside of it, which are some only if this one turns out to have no end. */
  readonly inner: MarkedRegion[];
};

/**
 * What is not marked cleanly is no region: nobody could say which lines belong to which side. So is all of a region
 * with another one in it; git itself writes longer markers there.
 */
export function findMarkedRegions(text: string): readonly MarkedRegion[] {
  if (!text.includes("<<<<<<<")) return [];
  const found: MarkedRegion[] = [];
  const open: OpenRegion[] = [];
  for (const marker of markersIn(text)) {
    const current = open.at(-1);
    if (marker.sign === "<") {
      if (current !== undefined) current.isBroken = true;
      open.push({ first: marker, isBroken: false, inner: [] });
      continue;
    }
    if (current === undefined) continue;
    switch (marker.sign) {
      case "|":
        if (current.base !== undefined || current.middle !== undefined) current.isBroken = true;
        else current.base = marker;
        break;
      case "=":
        if (current.middle !== undefined) current.isBroken = true;
        else current.middle = marker;
        break;
      case ">": {
        open.pop();
        const region = closeRegion(text, current, marker);
        if (region !== undefined) (open.at(-1)?.inner ?? found).push(region);
        break;
      }
    }
  }
  return [...found, ...open.flatMap(({ inner }) => inner)];
}

function closeRegion(text: string, region: OpenRegion, last: Marker): MarkedRegion | undefined {
  const { first, base, middle, isBroken } = region;
  if (middle === undefined || isBroken) return undefined;
  return {
    startLine: first.line,
    endLine: last.line,
    ours: text.slice(first.next, (base ?? middle).start),
    theirs: text.slice(middle.next, last.start),
    ...(base !== undefined && { base: text.slice(base.next, middle.start) }),
    oursLabel: first.label,
    theirsLabel: last.label,
  };
}

function* markersIn(text: string): Generator<Marker> {
  // Seven of a sign and no more, then the end of the line or a label; the line in the middle has none.
  const pattern = /(?<=^|\n)(?:(?<sign>[<|>])\k<sign>{6}(?: (?<label>[^\n]*?))?|(?<middle>=)={6})\r?(?:\n|$)/g;
  let line = 1;
  let counted = 0;
  for (const match of text.matchAll(pattern)) {
    for (let at = text.indexOf("\n", counted); at !== -1 && at < match.index; at = text.indexOf("\n", at + 1))
      line += 1;
    counted = match.index;
    yield {
      sign: signOf(match.groups?.["sign"]),
      label: match.groups?.["label"] ?? "",
      line,
      start: match.index,
      next: match.index + match[0].length,
    };
  }
}

function signOf(sign: string | undefined): Marker["sign"] {
  return sign === "<" || sign === "|" || sign === ">" ? sign : "=";
}
