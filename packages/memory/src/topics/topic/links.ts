/** Links between topics: `[[slug]]` in a text. */

const everyLink = /\[\[([A-Za-z0-9][\w.-]{0,100})\]\]/g;
const linksMax = 100;

/** Each once, in their order. */
export function linksIn(body: string): readonly string[] {
  const slugs = [...body.matchAll(everyLink)].map(([, slug = ""]) => slug);
  return [...new Set(slugs)].slice(0, linksMax);
}

export function renameLinks(body: string, from: string, to: string): string {
  return body.replaceAll(everyLink, (link, slug: string) => (slug === from ? `[[${to}]]` : link));
}
