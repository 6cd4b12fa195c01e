import type { Socket } from 'node:net'
import { SocksClient } from 'socks'
import { formatHostPort, type ProxyAddress } from '../../../schemas/proxy.js'
import { ProxyFailure } from './proxy-failure.js'
import { STEP_TIMEOUT_MS, type Target } from './target.js'

// Ours: errors of our own connections.

/** Asks a SOCKS5 proxy (RFC 1928, RFC 1929) for a tunnel, over an open connection to it. @throws ProxyFailure */
export async function askSocks(
  socket: Socket,
  proxy: ProxyAddress,
  target: Target,
  signal: AbortSignal,
): Promise<void> {
  const { host, port, username, password } = proxy
  const onAbort = (): void => void socket.destroy()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await SocksClient.createConnection({
      command: 'connect',
      proxy: { host, port, type: 5, ...(username === '' && password === '' ? {} : { userId: username, password }) },
      destination: { host: target.host, port: target.port },
      timeout: STEP_TIMEOUT_MS,
      existing_socket: socket,
    })
  } catch (error) {
    // The error of the library holds the password.
    throw explainFailure(formatHostPort(proxy), error instanceof Error ? error.message : '')
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function explainFailure(place: string, message: string): ProxyFailure {
  if (/Authentication failed|no accepted authentication/.test(message))
    return new ProxyFailure('auth', `${place}: the proxy refuses the user or the password`)
  const [, why = 'undefined'] = /rejected connection - (\w+)/.exec(message) ?? []
  if (why !== 'undefined') return new ProxyFailure('refused', `${place}: the proxy refuses the connection (${why})`)
  if (/timed out/.test(message))
    return new ProxyFailure('timeout', `${place}: the proxy did not answer within ${STEP_TIMEOUT_MS / 1_000} s`)
  if (/Socket closed/.test(message)) return new ProxyFailure('answer', `${place}: the proxy closed the connection`)
  return new ProxyFailure('answer', `${place}: the proxy does not answer in SOCKS5`)
}
