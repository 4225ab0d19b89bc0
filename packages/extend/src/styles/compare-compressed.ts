/** Whether a shortened text still says every exact thing of the original: nothing but its prose may change. */

export type CompressionLoss = {
  /** What kind of thing, for a person. */
  readonly kind: string;
  readonly missing: readonly string[];
  readonly added: readonly string[];
};

const urlForm = /\bhttps?:\/\/[^\s)>\]"'`]+/g;
const pathForm =
  /(?<![\w/])(?:~|\.{1,2})?\/?(?:[\w.@-]+\/)+[\w.@-]*|\b[\w-]+\.(?:md|ts|tsx|js|json|ya?ml|toml|py|go|rs|sh|sql|css|html)\b/g;
const numberForm = /(?<![\w.])\d[\d,._]*(?:%|\b)/g;

/** Empty when the exact things are the same, each as often as before. */
export function compareCompressed(before: string, after: string): readonly CompressionLoss[] {
  const [old, present] = [exactThings(before), exactThings(after)];
  return Object.keys(old).flatMap((kind) => {
    const missing = without(old[kind] ?? [], present[kind] ?? []);
    const added = without(present[kind] ?? [], old[kind] ?? []);
    return missing.length + added.length === 0 ? [] : [{ kind, missing, added }];
  });
}

function exactThings(text: string): { readonly [kind: string]: readonly string[] } {
  const whole = text.replaceAll("\r\n", "\n");
  const fences = whole.match(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[ \t]*$|$(?![\s\S]))/gm) ?? [];
  let rest = fences.reduce((left, fence) => left.replace(fence, () => "\n"), whole);
  const take = (form: RegExp) => {
    const found = rest.match(form) ?? [];
    rest = rest.replaceAll(form, " ");
    return found.map((each) => each.replace(/[.,;:]+$/, ""));
  };
  const headings = rest.match(/^#{1,6}[ \t]+\S.*$/gm) ?? [];
  return {
    "code block": fences.map((fence) => fence.trimEnd()),
    heading: headings.map((heading) => heading.trim()),
    "inline code": take(/`[^`\n]+`/g),
    URL: take(urlForm),
    command: take(/^[ \t]*\$ .+$/gm).map((line) => line.trim()),
    path: take(pathForm),
    number: take(numberForm),
  };
}

/** As multisets. */
function without(some: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return some.filter((each) => {
    const at = left.indexOf(each);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}
