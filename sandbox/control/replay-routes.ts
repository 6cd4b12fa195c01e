/** `/replay`: sends the stanzas of a recording to a device. */
import { randomBytes } from 'node:crypto'
import { ClientSession } from '../network/login.js'
import type { Network } from '../network/network.js'
import { PhoneError } from '../phones/phone-error.js'
import { type Node, node, nowSeconds } from '../wire/nodes.js'
import { optionalNumber, requiredText } from './fields.js'
import type { Route } from './server.js'

/** A stanza as the gateway records it: without contents, and with placeholders for ids and addresses. */
interface Recorded {
  readonly tag: string
  readonly attrs?: Readonly<Record<string, string>>
  readonly content?: readonly Recorded[] | true
}

interface Line {
  readonly direction?: 'sent' | 'received'
  readonly stanza?: Recorded
}

type People = Readonly<Record<string, unknown>>

/** Tags of stanzas that belong to one login, or answer a stanza of the device. A replay has other ones. */
const OF_ONE_LOGIN = new Set(['ack', 'success', 'failure', 'stream:features', 'xmlstreamend'])
/** Tags of stanzas whose time the device reads. */
const WITH_TIME = new Set(['message', 'receipt', 'notification', 'call'])
const ID_ATTRIBUTES = /^id\d+$/
const ADDRESS = /^((?:person|group|channel|list|call)\d+)((?::\d+)?@.+)$/

export function replayRoutes(network: Network): Route[] {
  return [
    {
      method: 'POST',
      path: '/replay',
      handle({ body }) {
        const phone = requiredText(body, 'phone')
        const device = optionalNumber(body, 'device') ?? 1
        const session = [...network.sessions].find(
          (one) => one instanceof ClientSession && one.device.account.phoneNumber === phone && one.device.id === device,
        )
        if (session === undefined) throw new PhoneError(409, 'The device is not connected.')
        const replay = new Replay((body.people ?? {}) as People)
        const stanzas = readLines(requiredText(body, 'recording')).flatMap((line) => replay.stanzas(line))
        for (const stanza of stanzas) {
          if (stanza.tag === 'stream:error') {
            network.endSession(session, 'a replayed stream error', stanza)
            break
          }
          session.send(stanza)
        }
        return { sent: stanzas.length }
      },
    },
  ]
}

function readLines(recording: string): Line[] {
  return recording
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      try {
        return JSON.parse(line) as Line
      } catch {
        throw new PhoneError(400, `Line ${index + 1} of the recording is not JSON.`)
      }
    })
}

/** Makes stanzas of the lines of one recording. Equal placeholders become equal ids and addresses. */
class Replay {
  readonly #people: People
  readonly #name = randomBytes(4).toString('hex').toUpperCase()

  constructor(people: People) {
    this.#people = people
  }

  /** Returns the stanza of the line, if the network sent it by itself. */
  stanzas({ direction, stanza }: Line): Node[] {
    if (direction !== 'received' || stanza === undefined || OF_ONE_LOGIN.has(stanza.tag)) return []
    if (stanza.tag === 'iq' && !isRequest(stanza)) return []
    const { tag, attrs, content } = this.#node(stanza)
    return [node(tag, WITH_TIME.has(tag) ? { ...attrs, t: nowSeconds() } : attrs, content)]
  }

  #node({ tag, attrs = {}, content }: Recorded): Node {
    const values = Object.fromEntries(Object.entries(attrs).map(([name, value]) => [name, this.#value(value)]))
    if (content === undefined) return node(tag, values)
    return node(tag, values, content === true ? randomBytes(32) : content.map((child) => this.#node(child)))
  }

  #value(value: string): string {
    if (ID_ATTRIBUTES.test(value)) return `${this.#name}${value.toUpperCase()}`
    const [, placeholder = '', rest = ''] = ADDRESS.exec(value) ?? []
    if (placeholder === '') return value
    const given = this.#people[placeholder]
    return `${typeof given === 'string' ? given : invented(placeholder)}${rest}`
  }
}

/** Pairing and answers belong to one login. The rest asks something of the device. */
function isRequest({ attrs, content }: Recorded): boolean {
  const isPairing = Array.isArray(content) && content.some(({ tag }: Recorded) => tag.startsWith('pair-'))
  return (attrs?.type === 'get' || attrs?.type === 'set') && !isPairing
}

function invented(placeholder: string): string {
  return `15559${placeholder.replace(/\D/g, '').padStart(6, '0')}`
}
