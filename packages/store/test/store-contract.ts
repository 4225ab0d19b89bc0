/** What every store promises, as one suite that runs on each of them. */
import { describe } from "vitest";
import { leaseContract } from "./lease-contract.ts";
import { recordContract } from "./record-contract.ts";
import { sessionContract } from "./session-contract.ts";
import { type OpenStore, useStore } from "./store-site.ts";

export function storeContract(name: string, open: OpenStore): void {
  describe(`${name}: the store contract`, () => {
    const site = useStore(open);
    recordContract(site);
    leaseContract(site);
    sessionContract(site);
  });
}
