import { type IncomingMessage, request } from 'node:http'
import { isIPv6, type Socket } from 'node:net'
import { formatHostPort, type ProxyAddress } from '../../../schemas/proxy.js'
import { ProxyFailure } from './proxy-failure.js'
import { STEP_TIMEOUT_MS, type Target } from './target.js'

const HEADERS_MAX_BYTES = 8_192

/**
 * Asks an HTTP proxy for a tunnel (RFC 9110, 9.3.6). The parser of Node.js reads the answer, so its size is bounded; no body is read.
 * @throws ProxyFailure
 */
export function askConnect(socket: Socket, proxy: ProxyAddress, target: Target, signal: AbortSignal): Promise<void> {
  const place = formatHostPort(proxy)
  const authority = `${isIPv6(target.host) ? `[${target.host}]` : target.host}:${target.port}`
  return new Promise((resolve, reject) => {
    const asked = request({
      createConnection: () => socket,
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...authorization(proxy) },
      setHost: false,
      maxHeaderSize: HEADERS_MAX_BYTES,
    })
    const fail = (failure: ProxyFailure): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      asked.destroy()
      reject(failure)
    }
    const onAbort = (): void => fail(new ProxyFailure('timeout', `${place}: given up`))
    const timer = setTimeout(() => {
      fail(new ProxyFailure('timeout', `${place}: the proxy did not answer within ${STEP_TIMEOUT_MS / 1_000} s`))
    }, STEP_TIMEOUT_MS)
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    // Stays: an error after the failure is not ours.
    asked.on('error', (error: NodeJS.ErrnoException) => fail(toFailure(place, error)))
    asked.once('connect', (answer: IncomingMessage, _socket: Socket, head: Buffer) => {
      const refusal = judgeStatus(place, answer.statusCode ?? 0)
      if (refusal !== null) return fail(refusal)
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      if (head.length > 0) socket.unshift(head)
      resolve()
    })
    asked.end()
  })
}

function authorization({ username, password }: ProxyAddress): { readonly 'proxy-authorization'?: string } {
  if (username === '' && password === '') return {}
  return { 'proxy-authorization': `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}

function judgeStatus(place: string, status: number): ProxyFailure | null {
  if (status >= 200 && status < 300) return null
  if (status === 407) return new ProxyFailure('auth', `${place}: the proxy refuses the user or the password (407)`)
  return new ProxyFailure('refused', `${place}: the proxy refuses the connection (${status})`)
}

function toFailure(place: string, { code = '' }: NodeJS.ErrnoException): ProxyFailure {
  if (code === 'HPE_HEADER_OVERFLOW') return new ProxyFailure('answer', `${place}: the answer of the proxy is too long`)
  if (code.startsWith('HPE_')) return new ProxyFailure('answer', `${place}: the proxy does not answer in HTTP`)
  return new ProxyFailure('answer', `${place}: the proxy closed the connection`)
}
