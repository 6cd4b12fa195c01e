/** Time after which the address of a saved file is freed. */
const FREED_MS = 60_000

/** Lets the browser save a file. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), FREED_MS)
}
