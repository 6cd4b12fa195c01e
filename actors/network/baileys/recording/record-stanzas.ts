import { type BinaryNode, decodeBinaryNode, type WASocket } from '@whiskeysockets/baileys'
import type { LiveSocket } from '../live-socket.js'
import type { NodeRecordings } from './recordings.js'

/**
 * Records the stanzas of a connection while a recording of its instance is under way: all received ones, and sent ones that we encode
 * ourselves. The stanzas that the library encodes come from its log (`library-logger.ts`).
 */
export function recordStanzas(socket: WASocket, live: LiveSocket, recordings: NodeRecordings): void {
  const { instance } = live
  recordings.of(instance)?.note('opened')
  // The frames of the handshake are bytes.
  socket.ws.on('frame', (frame: BinaryNode | Uint8Array) => {
    if (!(frame instanceof Uint8Array)) recordings.of(instance)?.received(frame)
  })
  const send = socket.sendRawMessage
  socket.sendRawMessage = async (bytes) => {
    const recording = recordings.of(instance)
    if (recording !== undefined)
      decodeBinaryNode(Buffer.from(bytes)).then(
        (stanza) => recording.sentStanza(stanza),
        () => live.logger.debug('A stanza that was sent could not be recorded.'),
      )
    await send(bytes)
  }
  live.onClose(() => recordings.of(instance)?.note('closed'))
}
