/** Numbers as people read them: with separators, and with a noun that agrees. */

/** Such as "1 file" or "1,204 files". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${withSeparators(count)} ${count === 1 ? one : many}`;
}

/** As in 12,345. Not by locale, which would have to be loaded first. */
export function withSeparators(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
