/** Texts of the page on which a device is paired. */

export const pairThisDevice = "Pair this device";
export const checkInTerminal =
  "Open the certificate in the address bar of the browser. Continue only if its SHA-256 fingerprint is the one that the terminal shows.";
export const checkBelow =
  "Open the certificate in the address bar of the browser. Continue only if its SHA-256 fingerprint is the one below, which the terminal also shows:";
export const code = "Pairing code";
export const deviceName = "Name of this device";
export const pair = "Pair";
export const serverStatus = (status: number) => `The server answered with status ${status}.`;
export const serverUnreachable =
  "The server cannot be reached. Check that kedge serve is running and that you are on the same network.";
export const androidPhone = "Android phone";
export const windowsComputer = "Windows computer";
export const linuxComputer = "Linux computer";
export const device = "Device";
// "To install the app …, first [install the certificate] on this device."
export const certificateBefore = "To install the app and get notifications, first";
export const certificateLink = "install the certificate";
export const certificateAfter = "on this device.";
export const mac = "Mac";
