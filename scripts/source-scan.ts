/** Reads TypeScript as text: what is code, what is comment or string, and which modules it names. */

export type ModuleReference = { readonly specifier: string; readonly line: number };

/** The same text, same length and lines, with the contents of comments, strings, templates and patterns blanked. */
export function maskSource(source: string): string {
  const masked = source.split("");
  /** One entry per template literal we are inside of: the depth of braces in its current `${}`. */
  const templateBraces: number[] = [];
  let lastCode = "";
  let index = 0;

  const blank = (start: number, end: number) => {
    for (let at = start; at < end && at < source.length; at++) if (source[at] !== "\n") masked[at] = " ";
  };

  const skipTemplate = (start: number): number => {
    for (let at = start; at < source.length; at++) {
      if (source[at] === "\\") at++;
      else if (source[at] === "`") return finishTemplate(start, at);
      else if (source.startsWith("${", at)) {
        blank(start, at);
        templateBraces.push(0);
        return at + 2;
      }
    }
    return finishTemplate(start, source.length);
  };

  const finishTemplate = (start: number, end: number): number => {
    blank(start, end);
    lastCode = "`";
    return end + 1;
  };

  while (index < source.length) {
    const char = source[index] ?? "";
    const braces = templateBraces.at(-1);
    if (source.startsWith("//", index)) {
      const end = endOf(source, "\n", index);
      blank(index, end);
      index = end;
    } else if (source.startsWith("/*", index)) {
      const end = endOf(source, "*/", index + 2) + 2;
      blank(index, end);
      index = end;
    } else if (char === '"' || char === "'") {
      const end = endOfQuoted(source, index + 1, char);
      blank(index + 1, end);
      index = end + 1;
      lastCode = char;
    } else if (char === "`") {
      index = skipTemplate(index + 1);
    } else if (char === "/" && startsPattern(source, index, lastCode)) {
      const end = endOfPattern(source, index + 1);
      blank(index + 1, end);
      index = end + 1;
      lastCode = "/";
    } else if (char === "}" && braces === 0) {
      templateBraces.pop();
      index = skipTemplate(index + 1);
    } else {
      if (braces !== undefined && char === "{") templateBraces[templateBraces.length - 1] = braces + 1;
      if (braces !== undefined && char === "}") templateBraces[templateBraces.length - 1] = braces - 1;
      if (char.trim() !== "") lastCode = char;
      index++;
    }
  }
  return masked.join("");
}

/** Every module a source names: import and export statements, types included, and `import()`. */
export function findModuleReferences(source: string): readonly ModuleReference[] {
  const masked = maskSource(source);
  const references: ModuleReference[] = [];
  for (const match of masked.matchAll(/\b(?:from|import|import\s*\()\s*(["'])/g)) {
    const start = match.index + match[0].length;
    const end = endOfQuoted(source, start, match[1] ?? '"');
    references.push({ specifier: source.slice(start, end), line: lineAt(source, start) });
  }
  return references;
}

export function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length;
}

function endOf(source: string, mark: string, start: number): number {
  const at = source.indexOf(mark, start);
  return at < 0 ? source.length : at;
}

function endOfQuoted(source: string, start: number, quote: string): number {
  let at = start;
  while (at < source.length && source[at] !== quote && source[at] !== "\n") at += source[at] === "\\" ? 2 : 1;
  return at;
}

/** A slash is a division after a value and begins a pattern after an operator, a bracket or a keyword. */
function startsPattern(source: string, index: number, lastCode: string): boolean {
  if (lastCode === "" || "=(,:[!&|?{};+-*%<>~^".includes(lastCode)) return true;
  return /\b(?:return|typeof|case|in|of|yield|await)\s*$/.test(source.slice(Math.max(0, index - 12), index));
}

function endOfPattern(source: string, start: number): number {
  let isInClass = false;
  for (let at = start; at < source.length; at++) {
    const char = source[at];
    if (char === "\n") return at;
    if (char === "\\") at++;
    else if (char === "[") isInClass = true;
    else if (char === "]") isInClass = false;
    else if (char === "/" && !isInClass) return at;
  }
  return source.length;
}
