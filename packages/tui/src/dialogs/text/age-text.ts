/** How long ago something was, in a few letters. */

const units: readonly { readonly name: string; readonly ms: number }[] = [
  { name: "d", ms: 86_400_000 },
  { name: "h", ms: 3_600_000 },
  { name: "min", ms: 60_000 },
];

export function ageText(ageMs: number): string {
  const unit = units.find(({ ms }) => ageMs >= ms);
  return unit === undefined ? "now" : `${Math.floor(ageMs / unit.ms)} ${unit.name} ago`;
}
