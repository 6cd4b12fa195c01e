/** `/faults…`: making the network misbehave. */
import type { FaultRule } from '../faults.js'
import { ClientSession } from '../network/login.js'
import type { Network } from '../network/network.js'
import { PhoneError } from '../phones/phone-error.js'
import { type Node, node } from '../wire/nodes.js'
import { optionalFlag, optionalNumber, optionalText } from './fields.js'
import type { Route } from './server.js'

const RULES = new Set([
  'login-failure',
  'swallow-acks',
  'ack-error',
  'rate-limit',
  'strangers-refused',
  'duplicate',
  'reorder',
  'delay',
  'silent',
  'media-upload',
  'media-download',
  'media-damage',
  'media-retry',
  'app-state-conflict',
  'join-refused',
  'invitation-refused',
  'look-up-refused',
  'privacy-refused',
  'mex-refused',
  'presence-withheld',
  'lose-acks',
  'refresh-lid',
  'token-required',
])

/** Stanzas that no device confirms. */
const FLEETING = new Set(['presence', 'chatstate', 'ack', 'ib', 'stream:error'])

type Body = Record<string, unknown>

export function faultRoutes(network: Network): Route[] {
  const { faults } = network
  return [
    {
      method: 'GET',
      path: '/faults',
      handle: () => ({
        kickOldSessions: faults.kickOldSessions,
        rules: faults.list(),
        unheard: clientSessions(network).flatMap(({ connection }) => connection.unheard),
      }),
    },
    {
      method: 'POST',
      path: '/faults',
      handle({ body }) {
        const rule = readRule(body)
        const fault = faults.add(rule)
        applyToConnections(network)
        return fault
      },
    },
    {
      method: 'DELETE',
      path: '/faults',
      handle() {
        faults.clear()
        applyToConnections(network)
      },
    },
    {
      method: 'DELETE',
      path: '/faults/:id',
      handle({ parameters }) {
        if (!faults.remove(Number(parameters.id))) throw new PhoneError(404, 'There is no such fault.')
        applyToConnections(network)
      },
    },
    {
      method: 'POST',
      path: '/faults/kick-old-sessions',
      handle({ body }) {
        faults.kickOldSessions = optionalFlag(body, 'enabled') ?? true
      },
    },
    {
      method: 'POST',
      path: '/faults/stream-error',
      handle({ body }) {
        const code = optionalNumber(body, 'code') ?? 500
        const sessions = select(network, body)
        for (const session of sessions) endWithCode(network, session, code)
        return { sessions: sessions.length }
      },
    },
    {
      method: 'POST',
      path: '/faults/stanza',
      handle({ body }) {
        const sessions = select(network, body)
        const stanza = createStanza(body.stanza as Written)
        const isFleeting = FLEETING.has(stanza.tag) || stanza.attrs.id === undefined
        for (const { device } of sessions) (isFleeting ? network.tell : network.deliver).call(network, device, stanza)
        return { sessions: sessions.length }
      },
    },
    {
      method: 'POST',
      path: '/faults/close',
      handle({ body }) {
        const sessions = select(network, body)
        for (const session of sessions) {
          network.log.explainEnd(session.login, 'dropped by command')
          if (optionalFlag(body, 'abrupt') ?? true) session.connection.destroy()
          else session.end()
        }
        return { sessions: sessions.length }
      },
    },
  ]
}

/** A stanza as it is written in a request. */
interface Written {
  readonly tag: string
  readonly attrs?: Record<string, string>
  /** Stanzas, or bytes in base64. */
  readonly content?: readonly Written[] | string
}

function createStanza({ tag, attrs = {}, content }: Written): Node {
  if (content === undefined) return node(tag, attrs)
  return node(tag, attrs, typeof content === 'string' ? Buffer.from(content, 'base64') : content.map(createStanza))
}

function readRule(body: Body): FaultRule {
  const kind = optionalText(body, 'kind') ?? ''
  if (!RULES.has(kind)) throw new PhoneError(400, `The field kind is one of ${[...RULES].join(', ')}.`)
  return {
    kind: kind as FaultRule['kind'],
    phone: optionalText(body, 'phone'),
    device: optionalNumber(body, 'device'),
    recipient: optionalText(body, 'recipient'),
    code: optionalNumber(body, 'code'),
    perSecond: optionalNumber(body, 'perSecond'),
    skips: optionalNumber(body, 'skips'),
    delayMs: optionalNumber(body, 'delayMs'),
    times: optionalNumber(body, 'times'),
    attributes: body.attributes as FaultRule['attributes'],
    name: optionalText(body, 'name'),
  }
}

/** Standing effects (delay, silence) hold from now on, and end now when their rule is gone. */
function applyToConnections(network: Network): void {
  for (const session of clientSessions(network)) {
    const effects = network.faults.connectionEffects(session.device)
    session.connection.delayMs = effects.delayMs
    session.connection.silent = effects.silent
  }
}

/** Sessions of `phone` and `device`, or all. */
function select(network: Network, body: Body): ClientSession[] {
  const phone = optionalText(body, 'phone')
  const device = optionalNumber(body, 'device')
  return clientSessions(network).filter(
    (session) =>
      (phone === undefined || session.device.account.phoneNumber === phone) &&
      (device === undefined || session.device.id === device),
  )
}

function clientSessions(network: Network): ClientSession[] {
  return [...network.sessions].filter((session) => session instanceof ClientSession)
}

function endWithCode(network: Network, session: ClientSession, code: number): void {
  // 428 and 408 are what a client makes of a connection that just ends.
  if (code === 428 || code === 408) {
    network.log.explainEnd(session.login, `dropped as ${code}`)
    session.connection.destroy()
    return
  }
  network.endSession(session, `stream error ${code}`, streamError(code))
}

function streamError(code: number): Node {
  if (code === 440) return node('stream:error', {}, [node('conflict', { type: 'replaced' })])
  if (code === 401) return node('stream:error', { code: '401' }, [node('conflict', { type: 'device_removed' })])
  return node('stream:error', { code: String(code) })
}
