/** How much a server may send and how long it may take. */

/** Of one message. A larger one ends the connection: nobody could use it, and it would fill the memory. */
export const messageBytesMax = 32 * 1024 * 1024;
export const tooLong = `it sent a message of more than ${messageBytesMax / 1_048_576} MB`;
export const connectMs = 30_000;
/** About 28 hours: some tools wait for people. */
export const callMsDefault = 100_000_000;
/** A call that its server made a task is a job of the session after this. */
export const taskFrontMs = 15_000;
export const localAtOnceMax = 3;
export const remoteAtOnceMax = 20;
/** Until a server that asked for a sign-in is asked again. */
export const needsAuthMs = 15 * 60_000;
export const toolsMax = 1_000;
export const descriptionCharactersMax = 2_048;
export const instructionsCharactersMax = 2_000;
