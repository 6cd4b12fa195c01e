import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** The path of a socket may have 107 bytes on Linux and 103 on macOS. */
const PATH_BYTES_MAX = 100

/**
 * Makes the folder in which the processes of one machine have the sockets for each other. Only the user of the gateway can enter it. Returns undefined
 * when there is no place for it: then the processes reach each other as nodes on different machines do.
 */
export function makePeerFolder(parent: string = os.tmpdir()): string | undefined {
  try {
    const folder = mkdtempSync(path.join(parent, 'posthorn-peers-'))
    if (Buffer.byteLength(peerSocket(folder, 999)) <= PATH_BYTES_MAX) return folder
    removePeerFolder(folder)
    return undefined
  } catch {
    return undefined
  }
}

export function removePeerFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** Returns the path of the socket on which the watchdog of a process answers. @param index from 1 on */
export function healthSocket(folder: string, index: number): string {
  return path.join(folder, `h${index}.sock`)
}

/** Returns the path of the socket of a process. @param index from 1 on */
export function peerSocket(folder: string, index: number): string {
  return path.join(folder, `${index}.sock`)
}
