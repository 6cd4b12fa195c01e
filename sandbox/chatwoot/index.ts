/** Strict fake of a support platform with the API of Chatwoot, on the loopback, written from its public contract. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type Agents, createAgents } from './agents.js'
import { control } from './control.js'
import { FaultPlan, type RequestFaults, type WebhookFault } from './faults.js'
import { type Contact, type Conversation, type Inbox, type Message, parseVersion } from './model.js'
import { type Call, createPlatformServer } from './server.js'
import { Store } from './store.js'
import { createViews } from './views.js'
import { type SentWebhook, Webhooks } from './webhooks.js'

export type { AgentMessage, Agents, NewConversation } from './agents.js'
export type { RequestFault, RequestFaults, WebhookFault } from './faults.js'
export type { Contact, Conversation, Inbox, Message } from './model.js'
export type { Call } from './server.js'
export type { NewFile } from './store.js'
export type { SentWebhook } from './webhooks.js'

export interface ChatwootOptions {
  readonly host?: string
  readonly port?: number
  /** `4.3.0` keeps few content_attributes; from 4.13.0 on webhooks are signed; from 4.14.0 on private addresses can be refused. */
  readonly version?: string
  /** Of 4.14.0 and later: webhooks may go to private addresses. True when left out, unlike at the real platform. */
  readonly allowsPrivateNetwork?: boolean
  readonly webhookTimeoutMs?: number
  readonly messagesPerMinute?: number
  readonly requestsPerMinute?: number
  readonly contactSearchesPerMinute?: number
  readonly maxBodyBytes?: number
  readonly now?: () => number
}

export interface FakeChatwoot {
  /** Address of the platform. It stays the same after `stop` and `start`. */
  readonly url: string
  readonly account: { readonly id: number; readonly name: string }
  /** Account of others: every token is refused there. */
  readonly foreignAccount: { readonly id: number }
  readonly tokens: {
    readonly administrator: string
    readonly agent: string
    /** Agent without membership of the inbox. */
    readonly outsider: string
    readonly bot: string
  }
  /** The API inbox. */
  readonly inbox: Inbox
  /** Inbox of another type. */
  readonly websiteInbox: Inbox
  /** Actions of agents. */
  readonly agents: Agents
  /** All calls of the API since the last `clear`. */
  readonly calls: readonly Call[]
  readonly webhooks: readonly SentWebhook[]
  contacts(): readonly Contact[]
  conversations(): readonly Conversation[]
  /** Messages in the order of their ids; of one conversation, or of all. */
  messages(conversationId?: number): readonly Message[]
  /** Calls that the real platform accepts and a client should not make. */
  mistakes(): readonly string[]
  agentReplies: Agents['replies']
  agentStarts: Agents['starts']
  fail(faults: RequestFaults): void
  failWebhooks(fault: WebhookFault): void
  clearFaults(): void
  revoke(token: string): void
  /** Resolves when no webhook is under way. */
  settled(): Promise<void>
  /** Forgets calls and webhooks; keeps the data. */
  clear(): void
  /** Goes away, keeping its data and the webhooks that wait. */
  stop(): Promise<void>
  /** Goes away as a killed program: the webhooks under way are lost. */
  kill(): Promise<void>
  /** Comes back at the same address. */
  start(): Promise<void>
  close(): Promise<void>
}

export async function startChatwoot(options: ChatwootOptions = {}): Promise<FakeChatwoot> {
  const { host = '127.0.0.1', port = 0, version = '4.15.0', allowsPrivateNetwork = true } = options
  const faults = new FaultPlan()
  const calls: Call[] = []
  const store: Store = new Store({
    version: parseVersion(version, allowsPrivateNetwork),
    now: options.now ?? Date.now,
    messagesPerMinute: options.messagesPerMinute ?? 200,
    onEvent: (event) => webhooks.add(event, views.webhook(event)),
  })
  let address = ''
  const views = createViews(store, () => address)
  const webhooks = new Webhooks(store, faults, options.webhookTimeoutMs ?? 5000)
  const inbox = store.addInbox('WhatsApp', 'Channel::Api')
  const websiteInbox = store.addInbox('Website', 'Channel::WebWidget')
  const administrator = store.addUser('Ada', 'administrator', [])
  const agent = store.addUser('Alice', 'agent', [inbox.id])
  const outsider = store.addUser('Otto', 'agent', [])
  const bot = store.addUser('Robot', 'bot', [])
  let isAway = false
  let life = 1
  const agents = createAgents(store, agent, inbox, () => {
    if (isAway) throw new Error('The platform is away.')
  })
  const server = createPlatformServer({
    store,
    views,
    faults,
    calls,
    requestsPerMinute: options.requestsPerMinute ?? 3000,
    contactSearchesPerMinute: options.contactSearchesPerMinute ?? 100,
    maxBodyBytes: options.maxBodyBytes ?? 50 * 1024 * 1024,
    control: (method, path, parameters) => control(method, path, parameters, { store, views, agents }),
    life: () => life,
    async perform(work) {
      const isEarly = faults.takeWebhook('before-answer')
      const answer = work()
      if (isEarly) await webhooks.settled()
      return answer
    },
  })
  const listen = async (at: number): Promise<void> => {
    server.listen(at, host)
    await once(server, 'listening')
    isAway = false
  }
  await listen(port)
  const listeningAt = (server.address() as AddressInfo).port
  address = `http://${host}:${listeningAt}`
  const leave = async (loses: boolean): Promise<void> => {
    isAway = true
    life += 1
    webhooks.leave({ loses })
    const closed = new Promise<void>((done) => server.close(() => done()))
    server.closeAllConnections()
    await closed
  }
  return {
    url: address,
    account: store.account,
    foreignAccount: { id: 2 },
    tokens: {
      administrator: administrator.token,
      agent: agent.token,
      outsider: outsider.token,
      bot: bot.token,
    },
    inbox,
    websiteInbox,
    agents,
    calls,
    webhooks: webhooks.sent,
    contacts: () => [...store.contacts.values()],
    conversations: () => [...store.conversations.values()],
    messages: (id) => (id === undefined ? [...store.messages.values()] : (store.conversations.get(id)?.messages ?? [])),
    mistakes: () => calls.flatMap(({ method, path, mistakes }) => mistakes.map((one) => `${method} ${path}: ${one}`)),
    agentReplies: agents.replies,
    agentStarts: agents.starts,
    fail: (given) => faults.addRequests(given),
    failWebhooks: (fault) => faults.addWebhooks(fault),
    clearFaults() {
      faults.clear()
      webhooks.release()
    },
    revoke(token) {
      const at = store.users.findIndex((one) => one.token === token)
      if (at >= 0) store.users.splice(at, 1)
    },
    settled: () => webhooks.settled(),
    clear() {
      calls.length = 0
      webhooks.sent.length = 0
    },
    stop: () => leave(false),
    kill: () => leave(true),
    async start() {
      await listen(listeningAt)
      webhooks.comeBack()
    },
    close: () => (isAway ? Promise.resolve() : leave(true)),
  }
}
