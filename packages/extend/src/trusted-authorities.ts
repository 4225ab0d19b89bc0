/** Whom connections trust: a given authority counts beside those of the system, where Node alone would let it replace them. */

let known: { readonly ca: string; readonly all: string[] } | undefined;

export function trustedAuthorities(ca: string | undefined): { readonly ca?: string[] } {
  if (ca === undefined) return {};
  // Read once: that takes longer than a handshake.
  if (known?.ca !== ca) known = { ca, all: [...process.getBuiltinModule("node:tls").getCACertificates("default"), ca] };
  return { ca: known.all };
}
