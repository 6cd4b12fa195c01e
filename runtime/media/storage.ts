/** The storage of files: on this node's disk, or an S3-compatible service that all nodes share. */

import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { GatewayError } from '../../schemas/errors.js'

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
  // Bound: 65,536, a name, a type or words of ffmpeg.
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(name)) throw new Error('This is not a name of a file in the storage.')
  return name
}

/** A node without a storage: files are given as they are fetched from the network, and none can be sent. */
export const noStorage: Storage = {
  put: () => Promise.reject(none()),
  read: () => Promise.reject(none()),
  delete: async () => {},
  close() {},
}

/** A storage that takes no files while `isRefused`, and still gives and deletes those that it has. */
export function refuseWhile(storage: Storage, isRefused: () => boolean): Storage {
  return {
    put: (...file) => (isRefused() ? Promise.reject(taken()) : storage.put(...file)),
    read: (name) => storage.read(name),
    delete: (names) => storage.delete(names),
    close: () => storage.close(),
  }
}

function taken(): GatewayError {
  return new GatewayError('MEDIA_STORAGE_UNAVAILABLE', {
    message:
      'Another node of this server stores files where this one cannot read them, so this one takes none; nothing was accepted.',
  })
}

function none(): GatewayError {
  return new GatewayError('MEDIA_STORAGE_UNAVAILABLE', {
    message: 'This server stores no files (MEDIA_STORAGE is none), so it cannot send them; nothing was accepted.',
  })
}

/** Files on their way, of this node alone. What a former process of its name left there is removed. */
export async function makeTempFolder(dataDir: string, nodeId: string): Promise<string> {
  // Bound: 65,536, a name, a type or words of ffmpeg.
  const folder = path.join(dataDir, 'tmp', nodeId.replace(/[^\w.-]/g, '_').replace(/^\.+/, '_'))
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** A name in it that nobody else has. */
export function tempFile(folder: string): string {
  return path.join(folder, randomBytes(12).toString('hex'))
}
