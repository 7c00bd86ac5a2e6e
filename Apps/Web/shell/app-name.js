// The address of this app, such as `/app/rider-app/`. Its places are below it, so the address of the
// page says less than the address of this file.
export const folder = new URL('./', import.meta.url).pathname;

// The name of this app: the folder, such as `rider-app`.
//
// Stored data has this name in its keys, so that two apps of one server do not share it.
export const app = folder.split('/').at(-2);
