import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { WebSocket } from 'ws'
import { ProxyFailure } from '../../../actors/network/route/proxy-failure.js'
import type { Routes } from '../../../actors/network/route/routes.js'
import { errorText } from '../../../lib/error-text.js'
import { semaphore } from '../../../lib/owner-slots.js'
import { maskedProxyUrl, parseProxySettings } from '../../../schemas/proxy.js'
import { createEncryption } from '../../store/encryption.js'
import { connectionFailure } from '../connection-failure.js'
import { type DatabaseFacts, PROXIES_MAX, type SealedProxy } from '../database-facts.js'
import { type Check, failed, ok, type Result, skipped, warning } from '../finding.js'

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
      // Ours: answers of our own stores and settings.
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

interface ProxiesCheckOptions {
  readonly facts: Promise<DatabaseFacts> | undefined
  /** Keys that may open the stored settings. */
  readonly keys: readonly Buffer[]
  readonly routes: Pick<Routes, 'test'>
  /** Time for the test of one proxy. */
  readonly timeoutMs: number
}

const AT_ONCE = 50

/** Connects to the network through each proxy of an instance. Shows no password. */
export function proxiesCheck({ facts, keys, routes, timeoutMs }: ProxiesCheckOptions): Check {
  return {
    name: 'Proxies',
    async run() {
      const found = await facts?.catch(() => undefined)
      if (found === undefined) return [skipped('The proxies are not known, because the database was not read.')]
      if (found.proxies.length === 0) return [ok('No instance has a proxy.')]
      const opened = found.proxies.map((proxy) => ({ instance: proxy.instance, url: openProxyUrl(proxy, keys) }))
      const urls = new Map(opened.flatMap(({ instance, url }) => (url === null ? [] : [[url, instance] as const])))
      const closed = opened.filter(({ url }) => url === null).map(({ instance }) => unreadable(instance))
      const inSlot = semaphore(AT_ONCE)
      const failures = await Promise.all([...urls].map(([url, instance]) => inSlot(() => testRoute(instance, url))))
      const lost = failures.filter((result) => result !== null)
      const limited = found.proxies.length === PROXIES_MAX ? ` (of the newest ${PROXIES_MAX})` : ''
      return [ok(`${urls.size - lost.length} of ${urls.size} proxies reach WhatsApp${limited}.`), ...lost, ...closed]
    },
  }

  async function testRoute(instance: string, url: string): Promise<Result | null> {
    try {
      await routes.test(instance, url, timeoutMs)
      return null
    } catch (error) {
      const why = error instanceof ProxyFailure ? error.message : errorText(error)
      const text = `The proxy ${maskedProxyUrl(url)} of ${instance} failed: ${why}.`
      return warning(text, 'Correct it with POST /instance/proxy; until then the instance waits.')
    }
  }
}

/** Returns null if no key opens the settings. */
function openProxyUrl({ instance, sealed }: SealedProxy, [current, ...old]: readonly Buffer[]): string | null {
  if (current === undefined) return null
  try {
    return parseProxySettings(createEncryption(current, old).open(sealed, instance, 'proxy').toString())?.url ?? null
  } catch {
    return null
  }
}

function unreadable(instance: string): Result {
  return warning(
    `The stored proxy of ${instance} cannot be read.`,
    'Give the ENCRYPTION_KEY with which it was stored, or set the proxy again.',
  )
}
