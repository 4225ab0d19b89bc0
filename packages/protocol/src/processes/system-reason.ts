/** What the error codes of the operating system mean, for a sentence. */

const reasons: { readonly [code: string]: string } = {
  EACCES: "no permission",
  EPERM: "not permitted",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is exceeded",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open on this machine",
  EAGAIN: "no more processes can be started",
  ENOMEM: "out of memory",
  E2BIG: "the command line is too long",
  ENOTDIR: "part of the path is not a directory",
  EEXIST: "a file of that name exists",
  ENOENT: "part of the path does not exist",
};

/** The code itself where it has no words here. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return reasons[code] ?? (code === "" ? String(error) : code);
}
