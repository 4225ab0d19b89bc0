/** `/skills`, `/commands` and `/output-style` as text: what is used, what lost and why, and what is wrong with files. */
import type { Definition, FoundDefinitions } from "@kedge/extend/definitions";
import { broughtBy, skillOf } from "@kedge/extend/skills";
import type { Json } from "@kedge/protocol";

export type ListedDefinition = {
  readonly name: string;
  readonly kind: string;
  readonly status: "used" | "hidden" | "refused";
  readonly tier: string;
  readonly source: string;
  readonly file: string;
  readonly description: string;
  readonly why: string;
  readonly notes: readonly string[];
};

export function listDefinitions({ used, hidden, refused }: FoundDefinitions): readonly ListedDefinition[] {
  return [
    ...used.map((definition) => row(definition, "used", reasonOf(definition))),
    ...hidden.map(({ definition, why }) => row(definition, "hidden", why)),
    ...refused.map(({ kind, file, place, why, remedy, line }) => ({
      ...{ name: "", kind, status: "refused" as const, tier: place.tier, source: place.source, file, description: "" },
      why: `${why}. ${remedy}`,
      notes: [`line ${line}`],
    })),
  ];
}

function row(definition: Definition, status: "used" | "hidden", why: string): ListedDefinition {
  const { name, kind, place, file, description, notes } = definition;
  return {
    ...{ name, kind, status, tier: place.tier, source: place.source, file, description, why },
    notes: notes.map(({ line, text }) => `line ${line}: ${text}`),
  };
}

function reasonOf(definition: Definition): string {
  if (definition.kind !== "skill") return "";
  const { paths, isForModel, isForUser } = skillOf(definition);
  return [
    ...(paths.length === 0 ? [] : [`dormant until ${paths.join(", ")} is touched`]),
    ...(isForModel ? [] : ["only when you type it"]),
    ...(isForUser ? [] : ["only for the model"]),
    ...broughtBy(definition),
  ].join("; ");
}

const descriptionMax = 80;

export function definitionsText(rows: readonly ListedDefinition[], empty: string): string {
  if (rows.length === 0) return empty;
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows
    .flatMap(({ name, status, tier, source, file, description, why, notes }) => {
      const from = tier === "bundled" ? "bundled" : `${tier}, ${source}`;
      const plain = description.replace(/\.$/, "");
      const short = plain.length > descriptionMax ? `${plain.slice(0, descriptionMax - 1)}…` : plain;
      const told = status === "used" ? [short, why] : [status, why, file];
      return [
        `${name.padEnd(width)}  ${told.filter((each) => each !== "").join("; ")} (${from})`,
        ...notes.map((note) => `${"".padEnd(width)}  ${file} ${note}`),
      ];
    })
    .join("\n");
}

/** Rows are plain data. */
export function definitionsData(rows: readonly ListedDefinition[]): Json {
  return rows.map((each) => ({ ...each, notes: [...each.notes] }));
}
