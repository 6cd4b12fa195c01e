import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'

// Bound: 65,536, a name, a type or words of ffmpeg.

/** Files on their way, of this node alone. What a former process of its name left there is removed. */
export async function makeTempFolder(dataDir: string, nodeId: string): Promise<string> {
  const folder = path.join(dataDir, 'tmp', nodeId.replace(/[^\w.-]/g, '_').replace(/^\.+/, '_'))
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** A name in it that nobody else has. */
export function tempFile(folder: string): string {
  return path.join(folder, randomBytes(12).toString('hex'))
}
