// Bytes and numbers as a page holds them: base64, little-endian.
export const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

export const numbers = (text, Kind = Float64Array) => new Kind(bytes(text).buffer);
