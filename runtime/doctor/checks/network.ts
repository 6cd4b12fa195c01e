import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { WebSocket } from 'ws'
import { connectionFailure } from '../connection-failure.js'
import { type Check, failed, ok, type Result } from '../finding.js'

// Ours: answers of our own stores and settings.

export interface NetworkCheckOptions {
  readonly websocketUrl: string
  /** In PEM. Undefined for those of Node.js. */
  readonly certificateAuthority: string | undefined
  readonly timeoutMs: number
}

/** Origin of the browser client; the network refuses others. */
const ORIGIN = 'https://web.whatsapp.com'
const SETTING = 'WA_WEBSOCKET_URL'

/** Checks that the name of the network resolves. */
export function dnsCheck({ websocketUrl }: NetworkCheckOptions): Check {
  return {
    name: 'DNS',
    async run() {
      const host = new URL(websocketUrl).hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0) return [ok(`${host} is an address.`)]
      try {
        const addresses = await lookup(host, { all: true })
        return [ok(`${host} has ${addresses.length} addresses.`)]
      } catch (error) {
        return [connectionFailure(error, host, SETTING)]
      }
    },
  }
}

/** Opens a websocket to the network, as a connection of an instance begins, and closes it before anything is said. */
export function networkCheck({ websocketUrl, certificateAuthority, timeoutMs }: NetworkCheckOptions): Check {
  return {
    name: 'Network',
    run: () =>
      new Promise((resolve) => {
        const { host } = new URL(websocketUrl)
        const startedMs = performance.now()
        const socket = new WebSocket(websocketUrl, {
          origin: ORIGIN,
          handshakeTimeout: timeoutMs,
          perMessageDeflate: false,
          ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority }),
        })
        const end = (result: Result): void => {
          resolve([result])
          socket.terminate()
        }
        socket.on('open', () => end(ok(`${host} answers in ${Math.round(performance.now() - startedMs)} ms.`)))
        socket.on('error', (error) => end(connectionFailure(error, host, SETTING)))
        socket.on('unexpected-response', (_request, { statusCode }) => end(refusal(host, statusCode)))
      }),
  }
}

function refusal(host: string, statusCode = 0): Result {
  return failed(
    `${host} answers with status ${statusCode} instead of a websocket.`,
    `Something in between answers (a proxy, a portal), or ${SETTING} is wrong.`,
  )
}
