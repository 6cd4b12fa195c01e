/** For tests of the API itself: an API over a node that has one instance and answers with examples. Gateway tests use real parts. */
import { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import pino from 'pino'
import type { Command } from '../../actors/operations/index.js'
import { findOperation } from '../../actors/operations/index.js'
import { createApi } from '../../api/app.js'
import type { ApiOptions } from '../../api/options.js'
import type { ApiPorts } from '../../api/ports.js'
import { NO_CHATBOT } from '../../schemas/agents/records.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import { createMessageIds } from '../../schemas/message-id.js'
import type { PassRow } from '../../schemas/ports/access.js'
import type { BulkJobRow, BulkPreview } from '../../schemas/ports/bulk-jobs.js'
import type { Figures } from '../../schemas/ports/figures.js'
import type { InstanceRow, KeyGrant } from '../../schemas/ports/instances.js'
import type { FirstCall, KeyedCall } from '../../schemas/ports/requests.js'

export const token = 'token-of-the-one-instance'
export const adminToken = 'token-of-the-administrator'

/** Keys of the one instance, as tokens. */
export const keys = {
  'key-that-reads': { id: 'k1', scopes: ['read'], chat: null },
  'key-that-sends': { id: 'k2', scopes: ['send'], chat: null },
  'key-of-one-chat': { id: 'k3', scopes: ['read', 'send'], chat: '5511999990002@s.whatsapp.net' as Jid },
} as const satisfies Record<string, KeyGrant>

export interface FakeNode {
  readonly url: string
  readonly port: number
  /** Requests to the instance. */
  readonly commands: Command[]
  /** Each call of a port, but for those that look at a token: `instances.rename`. */
  readonly touched: string[]
  /** How often a token was looked up. */
  readonly lookups: { count: number }
  /** Lines of the log. */
  readonly log: string[]
  call(
    path: string,
    init?: RequestInit & { json?: unknown },
  ): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }>
  dismiss(): void
  close(): Promise<void>
}

const asked = { messageid: 'A', chatid: '15550000002@s.whatsapp.net' }

export const NO_MESSAGES: ApiPorts['messages'] = {
  find: async () => ({ messages: [], hasMore: false, older: null, newer: null }),
  receipts: async () => ({ ...asked, status: 'sent', members: 0, delivered: 0, read: 0, played: 0, people: [] }),
  votes: async () => ({ ...asked, poll: '', voters: 0, options: [] }),
  reactions: async () => ({ ...asked, reactions: [] }),
  isKnownKey: async () => false,
}

/** `parts` stand in for those of the fake. */
export async function startFakeNode(
  t: Pick<TestContext, 'after'>,
  options: Partial<ApiOptions> = {},
  parts: Partial<ApiPorts> = {},
): Promise<FakeNode> {
  const commands: Command[] = []
  const touched: string[] = []
  const lookups = { count: 0 }
  const log: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void log.push(line) })
  const ports = noting({ ...fakePorts(commands, lookups), ...parts }, touched)
  const api = createApi(ports, { logger, checkReplies: true, ...options })
  const { port } = await api.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => api.close())
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    port,
    commands,
    touched,
    lookups,
    log,
    dismiss: api.dismiss,
    close: api.close,
    async call(path, { json, ...init } = {}) {
      const answer = await fetch(url + path, {
        ...init,
        headers: { token, ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...init.headers },
        ...(json === undefined ? {} : { method: init.method ?? 'POST', body: JSON.stringify(json) }),
      })
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> }
    },
  }
}

const row: InstanceRow = {
  id: 'i00000000000001' as InstanceId,
  name: 'one',
  systemName: 'Posthorn',
  adminField01: '',
  adminField02: '',
  status: 'connected',
  desiredConnected: true,
  isStopped: false,
  owner: '5511999990001',
  profileName: '',
  profileUsername: '',
  profilePicUrl: '',
  isBusiness: false,
  platform: '',
  lastDisconnect: null,
  lastDisconnectReason: '',
  fieldsMap: {},
  tags: [],
  defaultCountry: '',
  presence: 'unavailable',
  delayMinMs: null,
  delayMaxMs: null,
  inUseSince: new Date(0),
  chatbot: NO_CHATBOT,
  isExported: false,
  created: new Date(0),
  updated: new Date(0),
}

/** The same ports, with each call noted. */
function noting(ports: ApiPorts, touched: string[]): ApiPorts {
  const noted = Object.entries(ports).map(([name, port]) => [
    name,
    typeof port !== 'object' || port === null
      ? port
      : new Proxy(port as object, {
          get(target, method) {
            const value: unknown = Reflect.get(target, method)
            if (typeof value !== 'function' || method === 'byToken' || method === 'identify' || name === 'audit')
              return value
            return (...given: unknown[]) => {
              touched.push(`${name}.${String(method)}`)
              return Reflect.apply(value, target, given) as unknown
            }
          },
        }),
  ])
  return Object.fromEntries(noted) as ApiPorts
}

/** A pass of the one instance that the administrator has opened, and a pass of the administrator. */
export const passToken = 'php_of-the-one-instance'
export const adminPassToken = 'php_of-the-administrator'
const somePass: PassRow = {
  id: '0a1b2c3d4e5f',
  instance: row.id,
  isCode: false,
  isPairing: false,
  openedBy: 'admin',
  actor: 'ADMIN_TOKEN',
  created: new Date(0),
  idleEnds: new Date(0),
  ends: new Date(0),
}

const someKey = { id: '0a1b2c3d', prefix: 'phk_0a1b2c3d', created: new Date(0), ends: null }

function memoryOfAnswers(): ApiPorts['keptAnswers'] {
  const first = new Map<string, FirstCall>()
  const formatKey = ({ instance, idempotencyKey }: KeyedCall) => `${instance} ${idempotencyKey}`
  return {
    async begin(call) {
      const known = first.get(formatKey(call)) ?? null
      if (known === null) first.set(formatKey(call), { requestHash: call.requestHash, answer: null })
      return known
    },
    async keep(call, answer) {
      first.set(formatKey(call), { requestHash: call.requestHash, answer })
    },
    async release(call) {
      first.delete(formatKey(call))
    },
  }
}

const noKnowledge = async () => ({ chunks: [], isWhole: false, isByMeaning: false })
const noCounts = { count: 0, duplicates: 0, optedOut: 0, recent: 0 }
const noChats = {
  total_chats: 0,
  unread_chats: 0,
  archived_chats: 0,
  pinned_chats: 0,
  blocked_chats: 0,
  groups: 0,
  admin_groups: 0,
  member_groups: 0,
}

const shownChatwoot = {
  enabled: true,
  url: 'https://chatwoot.example',
  accountId: 1,
  inboxId: 1,
  tokenMask: '...abcd',
  ignoreGroups: false,
  signMessages: false,
  createNewConversation: false,
  webhookUrl: 'https://gateway.example/chatwoot/webhook/i/secret',
  isSigned: true,
  state: 'ok' as const,
  lastError: '',
  lastSent: null,
  lastReceived: null,
  repliesWaiting: 0,
  repliesFailed: 0,
  repliesMissed: 0,
  webhookId: '',
}

function fakePorts(commands: Command[], lookups: { count: number }): ApiPorts {
  const nothing = {
    async list() {
      return []
    },
    async errors() {
      return []
    },
    async receiverStates() {
      return []
    },
  }
  return {
    dialects: {
      find: async () => null,
      readFacts: async () => null,
      list: async () => [],
      create: async () => Promise.reject(new Error('No dialect is served.')),
      change: async () => Promise.reject(new Error('No dialect is served.')),
    },
    router: {
      async ask(_instance: InstanceId, command: Command) {
        commands.push(command)
        return exampleReply(command) as never
      },
    },
    instances: {
      create: async () => ({ instance: row, token }),
      async byToken(given: string) {
        lookups.count += 1
        if (given in keys) return { instance: row, key: keys[given as keyof typeof keys] }
        return given === token ? { instance: row, key: null } : null
      },
      rotateToken: async () => ({ token, formerEnds: new Date(0) }),
      byId: async () => row,
      async *all() {
        yield [row]
      },
      connections: async () => [],
      find: async () => ({
        instances: [{ instance: row, node: 'n1', isPaired: true, lastActivityAt: null, since: null, waiting: 0 }],
        next: null,
        counts: { disconnected: 0, connecting: 0, connected: 1 },
      }),
      changeTags: async () => row,
      rename: async () => row,
      setAdminFields: async () => row,
      setFieldsMap: async () => row,
      setDefaultCountry: async () => row,
      async setDesired() {},
      async stop() {},
      async delete() {},
    },
    transfer: {
      async check() {},
      async mark() {},
      async unmark() {},
      read: async () => Readable.from(['POSTHORN'], { objectMode: false }),
      write: async () => row.id,
    },
    proxies: {
      find: async () => null,
      async set() {},
      async remove() {},
      async test() {},
    },
    sessions: {
      take: async () => ({ instance: row, token, keyCount: 1, ignored: [], ignoredCount: 0 }),
    },
    messages: NO_MESSAGES,
    scheduled: { list: async () => ({ messages: [], last: null, hasMore: false }) },
    campaigns: {
      preview: async (_instance, { id, recipients }) => ({
        id,
        count: recipients.length,
        duplicates: 0,
        recent: 0,
        isFormer: false,
        kept: recipients,
      }),
      create: async (_instance, { id, recipients }) => ({
        id,
        count: recipients.length,
        duplicates: 0,
        recent: 0,
        isFormer: false,
      }),
      copy: async () => null,
      strangers: async () => 0,
      list: async () => [],
      find: async () => null,
      recipients: async () => [],
      course: async () => ({ stepMinutes: 1, rows: [], reasons: [] }),
    },
    chats: {
      find: async () => ({ chats: [], total: 0, stats: noChats }),
      isSame: async (_instance, one, other) => one === other,
    },
    contacts: {
      mapping: async () => ({ lid: '100000000000002@lid' as Jid, pn: '15550000002@s.whatsapp.net' as Jid }),
      lids: async () => ({ people: [], hasMore: false }),
      page: async () => ({ contacts: [], total: 0, inBook: 0 }),
      async *all() {},
    },
    labels: nothing,
    quickReplies: { ...nothing, find: async () => null, async save() {}, async delete() {} },
    recipientImports: {
      begin: async (_instance, { id }) => ({ running: { ...noCounts, folderId: id, lastLine: 0 } }),
      discard: async () => {},
      check: async () => {},
      lacking: async () => [],
      survey: async () => ({ lines: 1, invalid: 0, errors: [], columns: new Map() }),
      preview: async () => ({ ...noCounts, problems: [], first: [], samples: [] }),
      store: async (_instance, { folderId }) => ({ ...noCounts, folderId }),
    },
    suppressions: {
      list: async () => ({ rows: [], hasMore: false }),
      add: async (_instance, people) => people.length,
      remove: async () => 0,
      find: async (_instance, people) => people.map(() => null),
    },
    groups: { ...nothing, async *all() {}, page: async () => ({ groups: (async function* () {})(), total: 0 }) },
    agentRecords: {
      functions: async () => [],
      findFunction: async () => null,
      saveFunction: async (_instance, id, fields) => ({ ...fields, ...recorded, id: id ?? recorded.id }),
      async deleteFunction() {},
    },
    agentTrials: {
      run: async () => ({
        reply: '',
        isTransfer: false,
        error: '',
        steps: [],
        chunks: [],
        usage: { inputTokens: 0, outputTokens: 0, isEstimate: false },
        warnings: [],
      }),
    },
    functionTrials: { run: async () => ({ text: '{}', isError: false }) },
    knowledge: {
      ...nothing,
      find: async () => null,
      save: async (_instance, id, { source: _, isReread: _isReread, isOther: _isOther, ...fields }) => ({
        ...fields,
        ...recorded,
        id: id ?? recorded.id,
        vectorStatus: 'pending',
        vectorReason: '',
        vectorCode: '',
        lastVectorized: null,
      }),
      async delete() {},
    },
    chatwoot: {
      async show() {
        return null
      },
      async set() {
        return shownChatwoot
      },
      async admit() {},
      async receive() {},
    },
    transcriptions: { of: async () => 'Hello' },
    agentKnowledge: { find: noKnowledge, search: noKnowledge },
    agents: {
      noteEmbeddings: async () => {},
      read: async () => null,
      settings: async () => NO_CHATBOT,
      async saveSettings(_instance, change) {
        const { key: _key, ...settings } = change(NO_CHATBOT)
        return { ...settings, openaiKeyMask: '' }
      },
      agents: async () => [],
      findAgent: async () => null,
      async saveAgent(_instance, id, change) {
        const { key: _key, ...fields } = change(null)
        return {
          ...fields,
          ...recorded,
          id: id ?? recorded.id,
          keyMask: '',
          blockedReason: '',
          blockedCode: '',
          embeddingDimensions: 0,
          embeddingError: '',
          embeddingCode: '',
        }
      },
      deleteAgent: async () => false,
      async blockAgent() {},
      agentKey: async () => null,
      openaiKey: async () => null,
      triggers: async () => [],
      findTrigger: async () => null,
      saveTrigger: async (_instance, id, change) => ({ ...change(null), ...recorded, id: id ?? recorded.id }),
      deleteTrigger: async () => false,
    },
    agentTurns: {
      list: async () => ({ turns: [], next: null }),
      usage: async () => ({
        limits: { turns: 2_000, tokens: 2_000_000, costMicros: 0 },
        resetsAtMs: 0,
        days: [{ day: '2026-01-31', turns: 0, tokensIn: 0, tokensOut: 0, tokensReserved: 0, costMicros: 0 }],
      }),
    },
    agentChecks: { async address() {}, model: async () => null, openaiKey: async () => null },
    knowledgeKeys: { async changed() {} },
    bulkJobs: {
      preview: async () => bulkPreview,
      start: async () => ({ ...bulkPreview, job: bulkJob }),
      list: async () => [bulkJob],
      find: async () => bulkJob,
      targets: async () => [],
      cancel: async () => bulkJob,
    },
    webhooks: nothing as unknown as ApiPorts['webhooks'],
    streams: {
      open: () => Readable.from(endless(), { objectMode: false }),
      page: async () => ({ events: [], cursor: 0, hasMore: false, isExpired: false, loss: null }),
    },
    figures: { read: async () => someFigures },
    readings: { read: async () => [] },
    traffic: { read: async () => ({ at: new Date(0), rows: [], nodes: [], agents: [], accounts: [] }) },
    health: {
      ready: async () => ({ ready: true, reasons: [] }),
      metrics: async () => ({ contentType: 'text/plain; version=0.0.4', body: '' }),
    },
    linkPreviews: { fetch: async () => null, picture: async () => null, portrait: async () => null },
    media: {
      take: async ({ kind }) => ({ media: kind, mimetype: 'image/png', file: { name: 'outgoing/a', sizeBytes: 1 } }),
      release: async () => {},
      canConvert: false,
      linkTo: () => '',
      follow: () => Promise.reject(new GatewayError('MEDIA_LINK_ENDED')),
      open: () => Promise.reject(new GatewayError('MEDIA_NOT_FOUND')),
      chatPicture: async () => null,
      networkPicture: async () => ({ body: Buffer.alloc(0), type: 'image/jpeg' }),
    },
    cluster: {
      nodes: async () => [],
      store: () => ({ state: 'current', wentBack: null }),
      shards: async () => [],
      placement: async () => null,
      drain: async () => false,
    },
    audit: { begin: async () => 1, end: async () => {}, find: async () => ({ entries: [], hasMore: false }) },
    requests: { find: async () => ({ requests: [], hasMore: false, leftOut: 0 }) },
    accessKeys: {
      create: async (_instance, asked) => ({ key: { ...asked, ...someKey }, token }),
      list: async () => [],
      async revoke() {},
    },
    keptAnswers: memoryOfAnswers(),
    messageIds: createMessageIds(Buffer.alloc(32)),
    passes: {
      open: async (parent, instance) => ({ pass: { ...somePass, openedBy: parent.kind, instance }, token: passToken }),
      async byToken(given, kind) {
        if (given === passToken && kind === 'instance') return { pass: somePass, instance: row, key: null }
        return given === adminPassToken && kind === 'admin'
          ? { pass: { ...somePass, instance: null }, instance: null, key: null }
          : null
      },
      openPairing: async () => ({ pass: { ...somePass, isCode: true, isPairing: true }, code: 'phq_of-a-link' }),
      openCode: async () => ({ pass: { ...somePass, isCode: true }, code: 'phc_of-a-link' }),
      byCode: async () => null,
      list: async () => ({ passes: [somePass], next: null }),
      async end() {},
    },
    adminTokens: {
      identify: async (given) => (given === adminToken ? 'ADMIN_TOKEN' : null),
      rotate: async () => ({ token: adminToken, othersEnd: new Date(0) }),
    },
  }
}

const bulkPreview: BulkPreview = {
  count: 1,
  counts: { disconnected: 0, connecting: 0, connected: 1 },
  ids: [row.id],
  unknown: [],
  digest: '0'.repeat(64),
}
const bulkJob: BulkJobRow = {
  ...{ id: 'b0a1b2c3d4e5f', position: 1, action: 'reset', add: [], remove: [], filter: null, state: 'done' },
  ...{ count: 1, begun: 0, done: 1, skipped: 0, failed: 0, perMinute: 300, digest: bulkPreview.digest },
  ...{ actor: 'ADMIN_TOKEN', node: 'n1', created: new Date(0), started: new Date(0), ended: new Date(0) },
}

const someFigures: Figures = {
  at: new Date(0),
  instances: { disconnected: 0, connecting: 0, connected: 1, missing: 0 },
  minutes: Array.from({ length: 60 }, (_, index) => ({
    at: new Date(index * 60_000),
    sent: 1,
    failed: 0,
    received: 2,
  })),
  webhooks: { waiting: 0, oldestWaitingMs: 0, deadLetters: 0, failedAttempts: 0 },
  troubled: [],
  sends: { waiting: 0, scheduled: 0 },
}

const recorded = { id: 'r0000000000000001', created: new Date(0), updated: new Date(0) }

/** Answers with the example that the definition of the operation gives. */
function exampleReply({ type, ...fields }: Command): unknown {
  const example: unknown = findOperation(type)?.example
  return typeof example === 'function' ? example(fields) : example
}

async function* endless(): AsyncGenerator<string> {
  yield ': hello\n\n'
  await new Promise(() => {})
}

/** Requests of an administrator. */
export function asAdministrator(node: FakeNode) {
  const headers = { admintoken: adminToken }
  return {
    get: (path: string) => node.call(path, { headers }),
    post: (path: string) => node.call(path, { method: 'POST', headers }),
  }
}
