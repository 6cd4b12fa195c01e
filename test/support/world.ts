/** A simulated network, a gateway on it, and paired instances: what most tests of the whole begin with. */
import assert from 'node:assert/strict'
import { type Sandbox, startSandbox } from '../../sandbox/index.js'
import type { Cleanup } from './cleanup.js'
import { eventually } from './eventually.js'
import { type Gateway, type Reply, type Stores, startGateway } from './gateway.js'
import { callOverHttp } from './http-call.js'
import { within } from './waits.js'

type Json = Record<string, unknown>

export interface World<Front extends Pick<Gateway, 'call' | 'url'> = Gateway> {
  readonly gateway: Front
  /** Address of the control API of the simulated network. */
  readonly networkUrl: string
  /** Tells the network what its phones do: `sandbox/README.md`. Fails when it refuses. */
  network<T = Json>(method: string, path: string, body?: unknown): Promise<T>
  /** A phone on the network. */
  phone(number: string, name?: string, settings?: Json): Promise<void>
  /** An instance that is not paired. */
  instance(name?: string, number?: string): Promise<TestInstance>
  /** An instance paired with a new phone. */
  paired(number: string, name?: string): Promise<TestInstance>
  /** An instance paired with a phone that exists. */
  linked(number: string, name?: string): Promise<TestInstance>
  /** Lets a phone write a text; returns the message id. */
  write(from: string, to: string, text: string): Promise<string>
  /** Waits until a phone shows this message, and, if given, until `isSo` holds for it. */
  shownAt<T extends object = Json>(phone: string, id: unknown, isSo?: (message: T) => boolean): Promise<T>
}

export interface TestInstance {
  readonly id: string
  readonly token: string
  /** Digits; empty when made without a phone. */
  readonly number: string
  call<T = Json>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply<T>>
  status(): Promise<{ instance: Json; status: { connected: boolean; loggedIn: boolean; jid: string | null } }>
  connected(withinMs?: number): Promise<void>
  /** An enabled webhook for `messages`, unless `more` says otherwise. */
  hook(url: string, more?: Json): Promise<void>
  /** Takes all its webhooks away. */
  unhook(): Promise<void>
  /** A text that must be answered with 200. */
  text(to: string, text: string, more?: Json): Promise<Json>
  /** A POST that must be answered with 200; returns the body. */
  done<T = Json>(path: string, body: Json, headers?: Record<string, string>): Promise<T>
  /** Stored messages, by `/message/find`. */
  messages(query: Json): Promise<Json[]>
  /** Waits until there is a chat with this id or number, and, if given, until `isSo` holds for it. */
  chat(chatid: string, isSo?: (chat: Json) => boolean): Promise<Json>
}

export async function startWorld(
  t: Cleanup,
  env: Readonly<Record<string, string>> = {},
  stores: Stores = {},
): Promise<World> {
  const sandbox = await within('The start of the simulated network', startSandbox())
  t.after(() => sandbox.close())
  return createWorld(sandbox, await startGateway(t, { sandbox, env, stores }))
}

/** Calls to the gateway go through `gateway.call`. */
export function createWorld<Front extends Pick<Gateway, 'call' | 'url'>>(
  sandbox: Pick<Sandbox, 'controlUrl'>,
  gateway: Front,
): World<Front> {
  async function network<T>(method: string, path: string, body?: unknown): Promise<T> {
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const asked = callOverHttp(`${sandbox.controlUrl}${path}`, method, headers, sent)
    const { status, text } = await within(`${method} ${path} of the simulated network`, asked)
    assert.ok(status >= 200 && status < 300, `${method} ${path} answered ${status}: ${text}`)
    return (text === '' ? {} : JSON.parse(text)) as T
  }

  async function instance(name = 'an instance', number = ''): Promise<TestInstance> {
    const made = await eventually(
      () =>
        gateway.call<{ code?: string; token: string; instance: { id: string } }>('POST', '/instance/init', {
          admin: true,
          body: { name },
        }),
      // As a client does on a machine that others keep busy: nothing was changed.
      ({ body }) => body.code !== 'STORE_UNAVAILABLE',
    )
    assert.equal(made.status, 200, JSON.stringify(made.body))
    return testInstance(gateway, made.body.instance.id, made.body.token, number)
  }

  async function paired(number: string, name = `phone ${number}`): Promise<TestInstance> {
    await network('POST', '/phones', { phone: number, name })
    return linked(number, name)
  }

  async function linked(number: string, name?: string): Promise<TestInstance> {
    const made = await instance(name, number)
    const shown = await made.call<{ instance: Json }>('POST', '/instance/connect', { phone: number })
    assert.equal(shown.status, 200, JSON.stringify(shown.body))
    // On a slow machine the call ends before the code has come.
    const look = async () => (await made.status()).instance.paircode
    const code = shown.body.instance.paircode || (await eventually(look))
    await network('POST', `/phones/${number}/code`, { code })
    await made.connected()
    return made
  }

  return {
    gateway,
    networkUrl: sandbox.controlUrl,
    network,
    phone: async (number, name = `phone ${number}`, settings = {}) =>
      void (await network('POST', '/phones', { phone: number, name, ...settings })),
    instance,
    paired,
    linked,
    write: async (from, to, text) => (await network<{ id: string }>('POST', `/phones/${from}/text`, { to, text })).id,
    async shownAt<T extends object>(phone: string, id: unknown, isSo: (message: T) => boolean = () => true) {
      const look = async () => (await network<T[]>('GET', `/phones/${phone}/messages?id=${String(id)}`))[0]
      return (await eventually(look, (message) => message !== undefined && isSo(message))) as T
    },
  }
}

function testInstance(gateway: Pick<Gateway, 'call'>, id: string, token: string, number: string): TestInstance {
  const call = <T = Json>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply<T>> => gateway.call<T>(method, path, { token, body, ...(headers === undefined ? {} : { headers }) })
  const status: TestInstance['status'] = async () =>
    (await call<Awaited<ReturnType<TestInstance['status']>>>('GET', '/instance/status')).body
  return {
    id,
    token,
    number,
    call,
    status,
    async connected(withinMs) {
      // A connection that a node which has gone has cut says nothing.
      const look = () => status().catch((error: unknown) => (error instanceof TypeError ? null : Promise.reject(error)))
      await eventually(look, (now) => now?.status?.connected === true, withinMs)
    },
    async hook(url, more = {}) {
      const answer = await call('POST', '/webhook', { url, events: ['messages'], enabled: true, ...more })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
    },
    async unhook() {
      for (const { id } of (await call<Json[]>('GET', '/webhook')).body)
        await call('POST', '/webhook', { action: 'delete', id })
    },
    async text(to, text, more = {}) {
      const answer = await call('POST', '/send/text', { number: to, text, ...more })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body
    },
    async done<T>(path: string, body: Json, headers?: Record<string, string>) {
      const answer = await call<T>('POST', path, body, headers)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body
    },
    messages: async (query) => (await call<{ messages: Json[] }>('POST', '/message/find', query)).body.messages,
    async chat(chatid, isSo = () => true) {
      const look = async () =>
        (await call<{ chats: Json[] }>('POST', '/chat/find', { wa_chatid: chatid })).body.chats[0]
      return (await eventually(look, (chat) => chat !== undefined && isSo(chat))) as Json
    },
  }
}
