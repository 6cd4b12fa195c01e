import { Readable } from 'node:stream'
import type { FilesToSend } from '../../actors/instance/ports.js'
import type { MediaFiles } from '../store/media-files.js'
import type { Storage } from './storage.js'

/** Files that instances send, from the storage that all nodes share. */
export function createFilesToSend({ storage, files }: { storage: Storage; files: MediaFiles }): FilesToSend {
  return {
    read: ({ name }) => Readable.from(read(storage, name), { objectMode: false }),
    async release({ name }) {
      try {
        await storage.delete([name])
        await files.forget(name)
      } catch {
        // The sweep finds it.
      }
    },
  }
}

async function* read(storage: Storage, name: string): AsyncGenerator<Uint8Array> {
  yield* (await storage.read(name)) as AsyncIterable<Uint8Array>
}
