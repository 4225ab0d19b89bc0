/** What is put into an archive, whatever its kind. */
export type NewMember = {
  /** Safe, with slashes. */
  readonly name: string;
  readonly content: Buffer;
  /** Permission bits of a new one; an old one keeps its own. */
  readonly mode: number;
  /** Since 1970; the earliest moment that the format knows when the time is not told. */
  readonly modifiedMs: number | undefined;
  /** The member that makes room for it, by the place that its reader names. */
  readonly replaces: { readonly offset: number } | undefined;
};
