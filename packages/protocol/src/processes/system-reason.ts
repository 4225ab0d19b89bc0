/** What the error codes of the operating system mean, for a sentence. */

const reasons: { readonly [code: string]: string } = {
  EACCES: "no permission",
  EPERM: "not permitted",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open on this machine",
  EAGAIN: "no further process can be started",
  ENOMEM: "no memory is left",
  E2BIG: "the command line is too long",
  ENOTDIR: "part of the path is not a directory",
  EEXIST: "there is a file of that name",
  ENOENT: "part of the path does not exist",
};

/** The code itself where it has no words here. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return reasons[code] ?? (code === "" ? String(error) : code);
}
