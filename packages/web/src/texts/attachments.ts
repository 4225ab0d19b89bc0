/** Why a file cannot be attached. */

export const unreadable = "could not be read.";
export const wrongKind = "is not an image, a PDF or text. Copy it into the project and mention it with @.";
export const textLimit = (kilobytes: number) => `${kilobytes} KB for text`;
export const tooLarge = (limit: string) =>
  `is too large to attach: the limit is ${limit}. Copy it into the project and mention it with @.`;
export const fileLimit = (megabytes: number) => `${megabytes} MB`;
