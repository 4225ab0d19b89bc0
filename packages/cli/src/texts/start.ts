/** Texts of the stub, which runs before anything else is loaded. */

export const stubTexts = {
  nodeTooOld: (major: number, minor: number, found: string) =>
    `kedge: Node ${major}.${minor} or newer is required. This is ${found}.\n`,
  unexpected: (message: string) => `Unexpected error: ${message}`,
};
