/** The HTTP side of the platform: access, limits, faults, routes. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { FaultPlan, RequestFault } from './faults.js'
import type { User } from './model.js'
import { type Parameters, readParameters } from './parameters.js'
import { Refusal, refusals } from './refusal.js'
import { contactRoutes } from './routes/contacts.js'
import { conversationRoutes } from './routes/conversations.js'
import { inboxRoutes } from './routes/inboxes.js'
import { messageRoutes } from './routes/messages.js'
import { publicRoutes } from './routes/public.js'
import type { Route } from './routes/route.js'
import type { Store } from './store.js'
import type { Views } from './views.js'

const MINUTE_MS = 60_000
const HTML = { 'content-type': 'text/html' }
const ROUTES: readonly Route[] = [
  ...inboxRoutes,
  ...contactRoutes,
  ...conversationRoutes,
  ...messageRoutes,
  ...publicRoutes,
]

export interface Call {
  readonly method: string
  readonly path: string
  status: number | undefined
  readonly mistakes: string[]
}

export interface ServerParts {
  readonly store: Store
  readonly views: Views
  readonly faults: FaultPlan
  /** Newest last. */
  readonly calls: Call[]
  readonly requestsPerMinute: number
  readonly contactSearchesPerMinute: number
  /** Largest body in bytes; a proxy answers 413 to a larger one. */
  readonly maxBodyBytes: number
  /** Answers calls below `/sandbox`. */
  control(method: string, path: string, parameters: Parameters): Answer
  /** Number of the life of the platform: a request of a former one is not worked on. */
  life(): number
  /** Runs the work of a call; its webhooks may go out before the answer. */
  perform(work: () => unknown): Promise<unknown>
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

export function createPlatformServer(parts: ServerParts): Server {
  const requests: number[] = []
  const searches: number[] = []
  return createServer((request, response) => {
    void serve(request, response, parts, { requests, searches }).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' })
      response.end(String(error))
    })
  })
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  parts: ServerParts,
  counters: { readonly requests: number[]; readonly searches: number[] },
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://platform')
  const method = request.method ?? 'GET'
  if (pathname.startsWith('/rails/active_storage/')) return sendFile(pathname, response, parts)
  if (pathname.startsWith('/sandbox/'))
    return send(response, parts.control(method, pathname, await readParameters(request, searchParams, () => {})))
  const call: Call = { method, path: pathname, status: undefined, mistakes: [] }
  parts.calls.push(call)
  const now = parts.store.options.now()
  if (!isWithin(counters.requests, parts.requestsPerMinute, now)) return refuseRate(response, call)
  if (pathname.endsWith('/contacts/search') && !isWithin(counters.searches, parts.contactSearchesPerMinute, now))
    return refuseRate(response, call)
  if (Number(request.headers['content-length'] ?? 0) > parts.maxBodyBytes) {
    call.status = 413
    request.resume()
    return void response.writeHead(413, HTML).end('<html><title>413 Request Entity Too Large</title></html>')
  }
  const fault = parts.faults.takeRequest(method, pathname)
  const life = parts.life()
  if (fault !== undefined && (await failBefore(fault, request, response, call))) return
  if (parts.life() !== life) return
  const answer = await answerTo(request, method, pathname, searchParams, parts, call)
  if (fault !== undefined && failAfter(fault, response, call)) return
  call.status = answer.status
  send(response, answer)
}

async function answerTo(
  request: IncomingMessage,
  method: string,
  pathname: string,
  query: URLSearchParams,
  parts: ServerParts,
  call: Call,
): Promise<Answer> {
  const { store, views } = parts
  const mistake = (sentence: string): void => void call.mistakes.push(sentence)
  try {
    const parameters = await readParameters(request, query, mistake)
    if (pathname === '/api')
      return ok({ version: store.options.version.text, queue_services: 'ok', data_services: 'ok' })
    const [route, ids] = findRoute(method, pathname)
    if (route?.isPublic === true) {
      const nobody: User = { id: 0, name: '', token: '', role: 'bot', inboxes: [] }
      return ok(await parts.perform(() => route.run({ store, views, user: nobody, parameters, ids, mistake })))
    }
    const user = findUser(request, store)
    if (pathname === '/api/v1/profile') {
      if (user.role === 'bot') throw refusals.noToken()
      return ok(views.user(user))
    }
    checkAccount(pathname, user, route, store)
    if (route === undefined) throw refusals.notFound()
    return ok(await parts.perform(() => route.run({ store, views, user, parameters, ids, mistake })))
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function ok(body: unknown): Answer {
  return { status: 200, body }
}

function findRoute(method: string, pathname: string): readonly [Route | undefined, readonly string[]] {
  const inAccount = /^\/api\/v1\/accounts\/\d+(\/.*)$/.exec(pathname)?.[1]
  for (const route of ROUTES) {
    const path = route.isPublic === true ? pathname : inAccount
    if (route.method !== method || path === undefined) continue
    const pattern = route.path.split('/')
    const given = path.split('/')
    if (pattern.length !== given.length || !pattern.every((part, at) => part === '*' || part === given[at])) continue
    return [route, given.filter((_, at) => pattern[at] === '*')]
  }
  return [undefined, []]
}

/** @throws Refusal */
function findUser(request: IncomingMessage, store: Store): User {
  const token = request.headers.api_access_token
  const user = store.users.find((one) => one.token === token)
  if (user === undefined) throw refusals.noToken()
  return user
}

/** @throws Refusal */
function checkAccount(pathname: string, user: User, route: Route | undefined, store: Store): void {
  const [, account] = /^\/api\/v1\/accounts\/(\d+)\//.exec(pathname) ?? []
  if (account === undefined) throw refusals.notFound()
  if (Number(account) !== store.account.id) {
    if (Number(account) === 2) throw refusals.noAccess()
    throw refusals.notFound()
  }
  if (user.role === 'bot' && route?.isForBots !== true) throw refusals.noAccess()
}

/** Answers a fault that comes before the work; returns whether it did. */
async function failBefore(
  fault: RequestFault,
  request: IncomingMessage,
  response: ServerResponse,
  call: Call,
): Promise<boolean> {
  if (fault.kind === 'slow') {
    await new Promise((done) => setTimeout(done, fault.ms))
    return false
  }
  if (fault.kind === 'cut' || ((fault.kind === 'error' || fault.kind === 'hang') && fault.when === 'after'))
    return false
  for await (const _ of request);
  if (fault.kind === 'hang') return true
  const page = (status: number, text: string, headers: Record<string, string> = HTML): true => {
    call.status = status
    response.writeHead(status, headers).end(text)
    return true
  }
  if (fault.kind === 'html')
    return page(502, '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>')
  if (fault.kind === 'page' && fault.isJson === true)
    return page(fault.status, JSON.stringify({ message: 'no route and no API found with those values' }), {
      'content-type': 'application/json',
    })
  if (fault.kind === 'page')
    return page(fault.status, `<html><title>${fault.status}</title><center>nginx</center></html>`)
  if (fault.kind === 'too-large')
    return page(413, '<html><head><title>413 Request Entity Too Large</title></head></html>')
  if (fault.kind === 'rate-limited')
    return page(429, 'Retry later\n', {
      'content-type': 'text/plain',
      ...(fault.retryAfterSeconds === undefined ? {} : { 'retry-after': String(fault.retryAfterSeconds) }),
    })
  return page(fault.status ?? 500, JSON.stringify({ status: 500, error: 'Internal Server Error' }), {
    'content-type': 'application/json',
  })
}

/** Answers a fault after the work; returns whether it did. */
function failAfter(fault: RequestFault, response: ServerResponse, call: Call): boolean {
  if (fault.kind === 'error') {
    call.status = fault.status ?? 500
    send(response, { status: call.status, body: { status: 500, error: 'Internal Server Error' } })
    return true
  }
  if (fault.kind === 'hang') return true
  if (fault.kind !== 'cut') return false
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"id":', () => response.destroy())
  return true
}

/** A `data_url` redirects to the storage, which may be another host. */
function sendFile(pathname: string, response: ServerResponse, { store }: ServerParts): void {
  const [, kind, id] = /^\/rails\/active_storage\/(?:blobs\/)?(redirect|disk)\/(\d+)\//.exec(pathname) ?? []
  const file = store.attachments.get(Number(id))
  if (file === undefined) {
    send(response, refusals.notFound())
    return
  }
  if (kind === 'redirect') {
    const location = file.redirectsTo ?? pathname.replace('/blobs/redirect/', '/disk/')
    return void response.writeHead(302, { location }).end()
  }
  response.writeHead(200, { 'content-type': file.contentType, 'content-length': String(file.bytes.length) })
  response.end(file.bytes)
}

function isWithin(times: number[], limit: number, now: number): boolean {
  while (times[0] !== undefined && times[0] <= now - MINUTE_MS) times.shift()
  if (times.length >= limit) return false
  times.push(now)
  return true
}

function refuseRate(response: ServerResponse, call: Call): void {
  call.status = 429
  response.writeHead(429, { 'content-type': 'text/plain' }).end('Retry later\n')
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}
