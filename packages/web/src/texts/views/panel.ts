/** Texts that every view has: loading, failures, confirmations. */

export const noAnswer = "No answer from the server. Check that kedge is still running.";
export const cancel = "Cancel";
export const readAgain = "Connection lost. This reloads after reconnecting.";
