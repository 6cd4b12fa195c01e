import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { isRequestSound, type PeerKey, type Signed } from './signature.js'

/** Tells whether a request is signed with the key. `from` is the name that the caller gives itself. */
export type RequestCheck = (
  key: PeerKey,
  signed: Signed,
  request: { readonly method: string; readonly path: string; readonly body: Buffer },
  socket: Socket,
  from?: string,
) => boolean

/** Returns a check that logs each request which does not pass. */
export function createRequestCheck(log: Logger): RequestCheck {
  return (key, signed, request, { remoteAddress: address }, from) => {
    if (isRequestSound(key, signed, request)) return true
    log.warn({ path: request.path, address, from }, 'A request to the peer port has a wrong signature.')
    return false
  }
}
