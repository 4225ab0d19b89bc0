/** What a module exports: functions alone can be loaded when one of them is first called, names of others need no place. */

/** Undefined where it exports anything else; types do not count. */
export function exportedFunctions(source: string): readonly string[] | undefined {
  const names = new Set<string>();
  for (const [, words = ""] of source.matchAll(/^export (?!type\b|interface\b|declare\b)(.*)$/gm)) {
    const [, name] = /^(?:async )?function\*? ?(\w+)/.exec(words) ?? [];
    if (name === undefined) return undefined;
    names.add(name);
  }
  return names.size === 0 ? undefined : [...names];
}

/** Whether it has nothing of its own. Each part may have a copy of such a module. */
export function onlyPassesOn(source: string): boolean {
  const passing = /\/\*[\s\S]*?\*\/|\/\/.*|export (?:type )?(?:\*(?: as \w+)?|\{[^}]*\}) from "[^"]+";/g;
  return source.replaceAll(passing, "").trim() === "";
}
