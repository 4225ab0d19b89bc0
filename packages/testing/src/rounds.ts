/** How often a random test repeats: a small round in every run, the full count with `./test --long`. */
export function rounds({ usual, long }: { readonly usual: number; readonly long: number }): number {
  return process.env["KEDGE_TEST_TIER"] === "long" ? long : usual;
}
