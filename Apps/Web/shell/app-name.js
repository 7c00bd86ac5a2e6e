// The name of this app: the folder of the page, such as `rider-app` for `/app/rider-app/`.
//
// Stored data has this name in its keys, so that two apps of one server do not share it.
export const app = location.pathname.split('/').at(-2);
