// The address that opens a place in the map app of the device.

const PLACE = 'geo:0,0?q=';

// A phone opens `geo:` (RFC 5870) in the map app that its owner chose, an Apple device its own one.
export function mapAddress(address) {
  if (!address.startsWith(PLACE)) return address;
  const place = address.slice(PLACE.length);
  const system = navigator.userAgent;
  if (system.includes('Android')) return address;
  if (/iPhone|iPad|Macintosh/.test(system)) return `https://maps.apple.com/?q=${place}`;
  return `https://www.google.com/maps/search/?api=1&query=${place}`;
}
