/** Texts of the view of terminals. */

export const connected = "Connected";
export const lost = "Connection lost. Reload the page to reconnect.";
export const ended = (code: number) => `Ended with exit code ${code}.`;
export const connectedAfter = (bytes: number) => `Connected. ${bytes} earlier bytes were discarded.`;
export const title = "Terminals";
export const newTerminal = "New terminal";
export const loading = "Loading terminals…";
export const none = "No terminal is open.";
export const openTerminals = "Open terminals";
export const exited = (code: number) => ` (exit ${code})`;
export const connecting = "Connecting…";
export const close = "Close terminal";
export const closeQuestion = "End everything that runs in it?";
export const commandIn = (command: string, directory: string, ended: string) => `${command} in ${directory}${ended}`;
