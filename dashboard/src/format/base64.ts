/** Bytes that are turned into text at once; a multiple of three, so that parts can be joined. */
const PART_BYTES = 3 * 8_192

/** Returns a file as base64. */
export async function encodeBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  const parts: string[] = []
  for (let start = 0; start < bytes.length; start += PART_BYTES)
    parts.push(btoa(String.fromCharCode(...bytes.subarray(start, start + PART_BYTES))))
  return parts.join('')
}
