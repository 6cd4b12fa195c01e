/** The storage of files: on this node's disk, or an S3-compatible service that all nodes share. Types only. */
import type { Readable } from 'node:stream'

// Bound: 65,536, a name, a type or words of ffmpeg.

export interface Storage {
  /**
   * Takes a file of this node's temporary folder away from there.
   * `durable`: it is in the storage for good when this resolves, whatever happens to the machine then.
   * @throws GatewayError MEDIA_STORAGE_UNAVAILABLE; then the file is still where it was
   */
  put(name: string, file: string, how: { readonly durable: boolean }): Promise<void>
  /** @throws GatewayError MEDIA_FILE_GONE, MEDIA_STORAGE_UNAVAILABLE */
  read(name: string): Promise<Readable>
  /** Deletes files. Skips those that are not there. @throws GatewayError MEDIA_STORAGE_UNAVAILABLE */
  delete(names: readonly string[]): Promise<void>
  close(): void
}

/** Names are made by us: parts of letters, digits, `.`, `_` and `-`, with slashes between. */
export function assertName(name: string): string {
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(name)) throw new Error('This is not a name of a file in the storage.')
  return name
}
