/** Reaching a server from other machines. An entry of its own, because only servers that others reach need any of it. */
export { readDeviceFile, renameDevice, revokeDevice, type StoredDevice } from "@kedge/server";
export { findAppBrowser } from "./find-app-browser.ts";
export { prepareReach } from "./open-reach.ts";
export { createPushSender } from "./push-sender.ts";
export { qrText } from "./qr-text.ts";
export { openReachCertificate } from "./reach-certificate.ts";
