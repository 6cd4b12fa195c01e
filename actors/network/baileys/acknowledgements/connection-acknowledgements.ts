import { errorText } from '../../../../schemas/error-text.js'
import type { LiveSocket } from '../live-socket.js'
import { Acknowledgements } from './acknowledgements.js'

/** Maximum number of unknown kinds of stanzas that the log of one connection names, and of characters of each. */
const NAMED_MAX = 20
const NAME_MAX = 50

/** Creates the acknowledgements of one connection. */
export function createAcknowledgements(live: LiveSocket, onUnknownStanza: () => void): Acknowledgements {
  const named = new Set<string>()
  return new Acknowledgements({
    socket: () => live.socket,
    ownDevice: () => live.credentials?.me?.id,
    isClosed: () => live.isClosed,
    isCongested: () => live.websocket?.isCongested ?? true,
    onUnknown: (tag) => {
      onUnknownStanza()
      const name = tag.slice(0, NAME_MAX)
      if (named.size >= NAMED_MAX || named.has(name)) return
      named.add(name)
      live.logger.warn({ tag: name }, 'WhatsApp sent a stanza of an unknown kind. It was refused.')
    },
    failed: (error) => {
      // After the end of this connection the network sends the stanza again, to the next one.
      if (!live.isClosed) live.logger.warn({ error: errorText(error) }, 'A stanza was not acknowledged.')
    },
  })
}
