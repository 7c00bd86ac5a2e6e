// Which app this page is: the folder it was opened from, such as `/app/rider-app/`.
//
// What a device keeps is kept under this name, so that two apps of one server do not meet.
export const app = location.pathname.split('/').at(-2);
