/** Reads calls with literal arguments from a Starlark file: texts and lists of texts, nothing that would have to run. */

export type RuleCall = {
  readonly name: string;
  /** Counted from 1. */
  readonly line: number;
  readonly fields: { readonly [name: string]: unknown };
};

export type CallsRead = {
  readonly calls: readonly RuleCall[];
  /** Where reading had to stop. */
  readonly problem?: { readonly line: number; readonly why: string };
};

type Token = { readonly kind: "name" | "text" | "sign"; readonly value: string; readonly line: number };

const depthMax = 20;

export function readCalls(source: string): CallsRead {
  const { tokens, badLine } = tokensOf(source);
  const calls: RuleCall[] = [];
  let at = 0;
  const stop = (line: number): CallsRead => ({
    calls,
    problem: { line, why: "is not a plain call with literal values" },
  });

  function value(depth: number): unknown {
    const token = tokens[at];
    at += 1;
    if (token?.kind === "text") return token.value;
    if (token?.kind === "name" && /^(?:True|False|None)$/.test(token.value)) return token.value === "True";
    if (token?.value !== "[" || token.kind !== "sign" || depth > depthMax) return undefined;
    const list: unknown[] = [];
    while (!isSign("]")) {
      const member = value(depth + 1);
      if (member === undefined) return undefined;
      list.push(member);
      if (isSign(",")) at += 1;
      else if (!isSign("]")) return undefined;
    }
    at += 1;
    return list;
  }

  const isSign = (sign: string) => tokens[at]?.kind === "sign" && tokens[at]?.value === sign;

  while (at < tokens.length) {
    const name = tokens[at];
    if (name?.kind !== "name") return stop(name?.line ?? 1);
    at += 1;
    if (!isSign("(")) return stop(name.line);
    at += 1;
    const fields: Record<string, unknown> = {};
    while (!isSign(")")) {
      const field = tokens[at];
      at += 1;
      if (field?.kind !== "name" || !isSign("=")) return stop(field?.line ?? name.line);
      at += 1;
      const given = value(0);
      if (given === undefined) return stop(field.line);
      fields[field.value] = given;
      if (isSign(",")) at += 1;
      else if (!isSign(")")) return stop(field.line);
    }
    at += 1;
    calls.push({ name: name.value, line: name.line, fields });
  }
  return badLine === undefined ? { calls } : stop(badLine);
}

const tokenForm = /([ \t\r]+|#[^\n]*)|(\n)|([A-Za-z_]\w*)|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|([()[\],=])/y;

function tokensOf(source: string): { readonly tokens: readonly Token[]; readonly badLine?: number } {
  const tokens: Token[] = [];
  let line = 1;
  tokenForm.lastIndex = 0;
  while (tokenForm.lastIndex < source.length) {
    const match = tokenForm.exec(source);
    // After a failure the expression would begin again.
    if (match === null) return { tokens, badLine: line };
    const [, , lineEnd, name, text, sign] = match;
    if (lineEnd !== undefined) line += 1;
    if (name !== undefined) tokens.push({ kind: "name", value: name, line });
    if (text !== undefined) tokens.push({ kind: "text", value: text.slice(1, -1).replaceAll(/\\(.)/g, "$1"), line });
    if (sign !== undefined) tokens.push({ kind: "sign", value: sign, line });
  }
  return { tokens };
}
