/** Some models fill an empty text or thought with dots; nobody needs to see them. */

/** The trimmed text, or nothing where only dots and blanks are left. */
export function withoutPlaceholder(text: string | undefined): string {
  const trimmed = text?.trim() ?? "";
  return /^[.…\s]*$/.test(trimmed) ? "" : trimmed;
}
