import type { EventEmitter } from 'node:events'
import type { BinaryNode, WASocket } from '@whiskeysockets/baileys'

export interface PairingAdmission {
  /** Resolves to true if there is a place among the connected instances. */
  readonly admit: () => Promise<boolean>
  readonly isClosed: () => boolean
  readonly onRefused: () => void
  readonly onFailure: (error: unknown) => void
}

const PAIR_SUCCESS = 'CB:iq,,pair-success'

/**
 * Holds back the phone's stanza after the scan until the instance is admitted. Only the library's answer to that stanza links the device:
 * without an answer the phone reports a failure to its owner, and lists no device.
 */
export function requireAdmission(socket: WASocket, { admit, isClosed, onRefused, onFailure }: PairingAdmission): void {
  const ws = socket.ws as unknown as EventEmitter
  const listeners = ws.listeners(PAIR_SUCCESS)
  ws.removeAllListeners(PAIR_SUCCESS)
  ws.on(PAIR_SUCCESS, (node: BinaryNode) => {
    admit().then((isAdmitted) => {
      if (isClosed()) return
      if (isAdmitted) for (const listener of listeners) listener.call(ws, node)
      else onRefused()
    }, onFailure)
  })
}
