/** A sandbox for the tests of one file, its clients ended after each test and itself after all. */
import { after, afterEach, before } from 'node:test'
import type { SocketConfig } from '@whiskeysockets/baileys'
import { type Sandbox, startSandbox } from '../../sandbox/index.js'
import { BareClient, type Credentials, control, until } from './bare-client.js'

export interface SeenMessage {
  id: string
  chat: string
  from: string
  own: boolean
  text: string
  kind: string
  quotedId: string | null
  offline: boolean
  arrivals: number
  order: number
}

export interface Fixture {
  sandbox: Sandbox
  call<T = unknown>(method: string, path: string, body?: unknown): Promise<T>
  makePhone(name?: string, more?: Record<string, unknown>): Promise<string>
  makeClient(options?: { credentials?: Credentials; config?: Partial<SocketConfig> }): BareClient
  /** A phone with a linked client that is open. */
  linked(name?: string, config?: Partial<SocketConfig>): Promise<{ phone: string; client: BareClient }>
  /** Waits until a phone has received a text. */
  seen(phone: string, text: string): Promise<SeenMessage>
}

export function useSandbox(firstNumber: number): Fixture {
  const clients: BareClient[] = []
  let next = firstNumber
  const fixture = {} as Fixture
  before(async () => {
    fixture.sandbox = await startSandbox()
    // Bare Baileys acknowledges calls without their type.
    fixture.sandbox.network.acknowledgements.strict = false
  })
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()))
    await control(fixture.sandbox, 'DELETE', '/faults')
  })
  after(() => fixture.sandbox.close())
  fixture.call = (method, path, body) => control(fixture.sandbox, method, path, body)
  fixture.makePhone = async (name = 'Ana', more = {}) => {
    const phone = String(next++)
    await fixture.call('POST', '/phones', { phone, name, ...more })
    return phone
  }
  fixture.makeClient = (options = {}) => {
    const client = new BareClient(fixture.sandbox, options)
    clients.push(client)
    return client
  }
  fixture.linked = async (name = 'Ana', config = {}) => {
    const phone = await fixture.makePhone(name)
    const client = fixture.makeClient({ config })
    await client.pairByQr(phone, false)
    return { phone, client }
  }
  fixture.seen = (phone, text) =>
    until(`${phone} receives ${text}`, async () => {
      const found = await fixture.call<SeenMessage[]>(
        'GET',
        `/phones/${phone}/messages?text=${encodeURIComponent(text)}`,
      )
      return found[0]
    })
  return fixture
}
