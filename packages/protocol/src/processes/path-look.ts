/** What the file system says about a path: where it leads, and by which other names the same file is known. */

/** Every absolute spelling of one name: as the session spells its root and home first, then the real path. */
export type OtherName = readonly string[];

export type PathLook = {
  /** Judged by its real path; `outside` also where that cannot be known. */
  readonly place: "inside" | "outside";
  /**
   * What it is besides the path as written: the target of links, the place `..` behind a link leads to, a known file of
   * which it is a hard link. What denies, asks or protects holds if it meets any of them. Empty for a plain file.
   */
  readonly otherNames: readonly OtherName[];
};

/** Never throws, whatever the path is made of. Opens nothing. */
export type LookAtPath = (path: string) => PathLook;
