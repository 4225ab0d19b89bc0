/** What the error codes of the operating system mean, for a sentence. */

const reasons: { readonly [code: string]: string } = {
  EACCES: "no permission",
  EPERM: "not permitted",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "part of the path is not a directory",
  EEXIST: "there is a file of that name",
  ENOENT: "part of the path does not exist",
};

/** The code itself where it has no words here. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return reasons[code] ?? (code === "" ? String(error) : code);
}
