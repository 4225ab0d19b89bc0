/** Gives a call the address schemes of its session. */
import type { AddressCaller, Addresses, AddressScheme } from "@kedge/protocol";

/** Of two with the same name the first one counts. */
export function bindAddresses(schemes: readonly AddressScheme[], caller: AddressCaller): Addresses {
  const find = (wanted: string) => schemes.find(({ name }) => name === wanted);
  return {
    schemes,
    read: (scheme, name) => find(scheme)?.read(name, caller),
    names: (scheme) => find(scheme)?.names?.(caller),
    write: (scheme, name, text) => find(scheme)?.write?.(name, text, caller),
  };
}
