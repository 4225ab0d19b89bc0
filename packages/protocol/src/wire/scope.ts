/** The steps of what a credential may do. */

/** From the least to the most; each may do what those before it may. */
export const scopes = ["read", "prompt", "approve", "admin"] as const;

export type Scope = (typeof scopes)[number];

export function includesScope(held: Scope, needed: Scope): boolean {
  return scopes.indexOf(held) >= scopes.indexOf(needed);
}
