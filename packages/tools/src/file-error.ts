/** Tells the file errors that a model can act on from those that mean a broken machine. */

export type FileErrorCode =
  | "ENOENT"
  | "ENOTDIR"
  | "EISDIR"
  | "EACCES"
  | "EPERM"
  | "EROFS"
  | "ELOOP"
  | "ENAMETOOLONG"
  | "ENXIO"
  | "ENODEV"
  | "EINVAL"
  | "EIO"
  | "ESTALE"
  | "EBUSY"
  | "ETXTBSY"
  | "EOPNOTSUPP"
  | "ERR_INVALID_ARG_VALUE"
  | "EEXIST";

export function isFileError(error: unknown, ...codes: readonly FileErrorCode[]): boolean {
  return error instanceof Error && "code" in error && codes.some((code) => code === error.code);
}

/** A sentence for the model, or undefined when the error is not about this path and must be thrown on. */
export function describeFileError(error: unknown, path: string): string | undefined {
  if (isFileError(error, "ERR_INVALID_ARG_VALUE")) return "A path cannot contain a NUL character.";
  if (isFileError(error, "ENOENT")) return `${path} does not exist.`;
  if (isFileError(error, "ENOTDIR", "EEXIST")) return `A part of ${path} is a file, not a directory.`;
  if (isFileError(error, "EISDIR")) return `${path} is a directory.`;
  if (isFileError(error, "EACCES", "EPERM")) return `No permission for ${path}.`;
  if (isFileError(error, "EROFS")) return `${path} is on a read-only file system.`;
  if (isFileError(error, "ELOOP")) return `${path} has too many symbolic links.`;
  if (isFileError(error, "ENAMETOOLONG")) return `The name ${path.slice(0, 200)}… is too long.`;
  if (isFileError(error, "ENXIO")) return `${path} is a socket or device; only regular files can be read.`;
  if (
    isFileError(error, "ENODEV", "EINVAL", "EIO", "ESTALE", "EBUSY", "ETXTBSY", "EOPNOTSUPP") &&
    error instanceof Error
  )
    return `${path} cannot be used (${"code" in error ? error.code : error.message}).`;
  return undefined;
}
