/** Strategy 9: several exact places, all of them replaced. One of them is never picked. */
import { simple } from "./simple.ts";
import type { Strategy } from "./strategy.ts";

export const multiOccurrence: Strategy = {
  name: "MultiOccurrence",
  combinesWithReplaceAll: true,
  find(search) {
    const places = simple.find(search);
    return places.length > 1 ? places : [];
  },
};
