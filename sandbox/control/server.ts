/** The control API: plain JSON over HTTP, by which tests and people drive phones and faults. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Network } from '../network/network.js'
import { PhoneError } from '../phones/phone-error.js'
import type { Roster } from '../phones/roster.js'
import { accountRoutes } from './account-routes.js'
import { acknowledgementRoutes } from './acknowledgement-routes.js'
import { appStateRoutes } from './app-state-routes.js'
import { callRoutes } from './call-routes.js'
import { channelRoutes } from './channel-routes.js'
import { clientVersionRoutes } from './client-version-routes.js'
import { faultRoutes } from './fault-routes.js'
import { groupRoutes } from './group-routes.js'
import { linkingRoutes } from './linking-routes.js'
import { logRoutes } from './log-routes.js'
import { mediaRoutes } from './media-routes.js'
import { phoneRoutes } from './phone-routes.js'
import { replayRoutes } from './replay-routes.js'
import { seenRoutes } from './seen-routes.js'
import { stanzaKindRoutes } from './stanza-kind-routes.js'
import { writingRoutes } from './writing-routes.js'

export interface ControlRequest {
  /** Parts of the path that the route left open. */
  parameters: Record<string, string>
  query: URLSearchParams
  body: Record<string, unknown>
}

export interface Route {
  method: string
  /** Like `/phones/:number/messages`. */
  path: string
  handle(request: ControlRequest): unknown
}

const BODY_MAX_BYTES = 64 * 1024 * 1024

export function serveControl(network: Network, phones: Roster): Server {
  const routes = [
    ...phoneRoutes(phones),
    ...accountRoutes(network, phones),
    ...linkingRoutes(network, phones),
    ...writingRoutes(phones),
    ...callRoutes(phones),
    ...appStateRoutes(phones),
    ...seenRoutes(phones),
    ...groupRoutes(network, phones),
    ...channelRoutes(network, phones),
    ...faultRoutes(network),
    ...acknowledgementRoutes(network),
    ...stanzaKindRoutes(phones),
    ...clientVersionRoutes(network),
    ...mediaRoutes(network),
    ...replayRoutes(network),
    ...logRoutes(network),
  ]
  return createServer((request, response) => {
    void answer(routes, request, response)
  })
}

async function answer(routes: readonly Route[], request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const url = new URL(request.url ?? '/', 'http://sandbox')
    const body = await readBody(request)
    for (const route of routes) {
      const parameters = route.method === request.method ? match(route.path, url.pathname) : undefined
      if (!parameters) continue
      const result = await route.handle({ parameters, query: url.searchParams, body })
      reply(response, 200, result ?? { ok: true })
      return
    }
    reply(response, 404, { error: `There is no ${request.method} ${url.pathname} here.` })
  } catch (error) {
    const status = error instanceof PhoneError ? error.status : 500
    reply(response, status, { error: (error as Error).message })
  }
}

function match(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = decodeURIComponent(given[index] ?? '')
    if (part.startsWith(':')) parameters[part.slice(1)] = value
    else if (part !== value) return undefined
  }
  return parameters
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > BODY_MAX_BYTES) throw new PhoneError(413, 'The body is too large.')
    chunks.push(chunk)
  }
  if (size === 0) return {}
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>
  } catch {
    throw new PhoneError(400, 'The body is not JSON.')
  }
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  const payload = JSON.stringify(body, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  response.writeHead(status, { 'content-type': 'application/json' }).end(payload)
}
