/** Connects a request to one of the very addresses that were judged: the next look-up of the name might answer otherwise. */
import type { LookupFunction } from "node:net";

export function lookupAmong(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return (hostname, options, callback) => {
    const [first] = found;
    if (first === undefined) callback(new Error(`no address was given for ${hostname}`), "");
    else if (options.all === true) callback(null, found);
    else callback(null, first.address, first.family);
  };
}
