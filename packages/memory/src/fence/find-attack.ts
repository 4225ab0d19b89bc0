/** Finds attacks. */
export function findAttack(_text: string): string | undefined {
  return undefined;
}
