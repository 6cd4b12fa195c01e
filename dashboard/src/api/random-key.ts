/** Returns a random key. `crypto.randomUUID` is missing on plain HTTP. */
export function makeRandomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
