/**
 * Sends any request to a running gateway: no error of ours, no answer that the OpenAPI document does not promise, no text that
 * becomes a statement. Beside it stand a real PostgreSQL with a log of its own, Redis and the network, all of them up.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import pg from 'pg'
import { openApiDocument } from '../../api/openapi.js'
import { routes } from '../../api/routes.js'
import { loadSchemas } from '../../schemas/schema-registry.js'
import type { Cleanup } from '../support/cleanup.js'
import { type Operation, readContract } from '../support/contract.js'
import { testPostgres } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { type FileServer, startFileServer } from '../support/file-server.js'
import type { Gateway } from '../support/gateway.js'
import { type Credential, type GeneratedRequest, generateRequests, lines } from '../support/requests.js'
import { png } from '../support/samples.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

type Json = Record<string, unknown>

const [ANA, BEN, EVE, KIM, ZOE, MIA, SAM] = [
  '15550640001',
  '15550640002',
  '15550640003',
  '15550640004',
  '15550640005',
  '15550640006',
  '15550640007',
]
const nobody = '15550649999'

const contract = readContract(JSON.stringify(openApiDocument(routes, loadSchemas())))

/** Operations of a channel that somebody else owns, and of one of the account. */
const followed = [
  ...['followChannel', 'unfollowChannel', 'muteChannel', 'unmuteChannel', 'showChannel', 'listChannelPosts'],
  ...['markPostsViewed', 'reactToPost', 'subscribeToChannel'],
]
const ofOwner = [
  ...['setChannelName', 'setChannelDescription', 'setChannelPicture', 'setChannelSettings', 'inviteChannelAdmin'],
  ...['deleteChannel', 'listChannelUpdates'],
]

/** Fields without which calls are refused, though their schemas do not require them. */
const needed: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries([...followed, ...ofOwner].map((name) => [name, ['id']])),
  changeInstances: ['ids'],
  restartConnections: ['ids'],
  addContact: ['phone'],
  addProduct: ['name', 'images', 'price', 'currency'],
  sendStatus: ['type', 'text', 'recipients'],
  deleteMessage: ['id'],
  pinMessage: ['id'],
  starMessage: ['id'],
  keepMessage: ['id'],
  votePoll: ['id', 'options'],
  editAgent: ['agent'],
  editFunction: ['function'],
  exportInstance: ['stop'],
  editKnowledge: ['knowledge'],
  editMessage: ['id'],
  editTrigger: ['trigger'],
  labelChat: ['add_labelid'],
  reactToMessage: ['id'],
  rejectCall: ['id'],
  removeContact: ['phone'],
  sendCarousel: ['id'],
  sendPixButton: ['pixType'],
  sendRequestPayment: ['pixKey'],
  sendForward: ['id'],
  sendProduct: ['image'],
  sendAlbum: ['files'],
  setProxy: ['mode', 'confirm_no_proxy'],
  setWebhook: ['url', 'events'],
  updateTags: ['tags'],
}

/** Operations that end a session have an instance of their own. */
const endings: ReadonlySet<string> = new Set(['connectInstance', 'resetInstance', 'disconnectInstance'])

/** How many of each operation that takes a body or parameters, some of each other; and what makes them the same again. */
export interface Amount {
  readonly requests: number
  readonly seed: number
}

/**
 * Asks anything of every operation, of some at a time. Returns what was wrong: the request, as small as it can be, and its answer.
 * @param never names of operations that none of the requests can make succeed
 */
export async function askAnything(scene: Scene, amount: Amount, never: readonly string[]): Promise<string[]> {
  const wrong: string[] = []
  const left = [...contract.operations]
  const lane = async (): Promise<void> => {
    for (let operation = left.shift(); operation !== undefined; operation = left.shift())
      await askAnythingOf(operation, scene, amount).catch((error: unknown) => wrong.push(String(error)))
  }
  await Promise.all(Array.from({ length: 6 }, lane))
  // They get in each other's way when they are asked at once: a disconnected instance cannot be reset, and a file may come late.
  const missed = neverTaken(scene).filter((name) => !never.includes(name))
  if (missed.length > 0) left.push(...[...endings, ...missed].map((name) => findOperation(name)))
  await lane()
  return wrong
}

async function askAnythingOf(operation: Operation, scene: Scene, { requests, seed }: Amount): Promise<void> {
  const { operationId } = operation
  const known = (field: string) => scene.known(field, operationId)
  const given = { contract, known, needed: new Set(needed[operationId]) }
  const property = fc.asyncProperty(generateRequests(operation, given), (request) => scene.ask(operation, request))
  // With nothing to say, there is not much to say wrongly.
  const isSilent = operation.body === undefined && operation.parameters.length === 0
  await fc.assert(property, { numRuns: isSilent ? Math.ceil(requests / 4) : requests, seed, reporter })
}

function findOperation(name: string): Operation {
  return contract.operations.find(({ operationId }) => operationId === name) as Operation
}

/** The operations that were never answered with 200. */
export function neverTaken(scene: Scene): string[] {
  return contract.operations.map(({ operationId }) => operationId).filter((name) => !scene.taken.has(name))
}

/** Operations that would disturb the others: draining the only node. */
export async function drainsNode(scene: Scene): Promise<void> {
  const drain = findOperation('drainNode')
  const nodes = await scene.gateway.call<{ nodes: { id: string }[] }>('GET', '/admin/nodes', { admin: true })
  const path = `/admin/nodes/${nodes.body.nodes[0]?.id}/drain`
  await scene.ask(drain, { method: 'POST', path, as: 'right', headers: {} })
}

/** Operations that end the administrator's token: with a grace period. */
export async function rotatesAdminToken(scene: Scene): Promise<void> {
  const { adminToken: admintoken } = scene.gateway
  const answer = await scene.gateway.call('POST', '/admin/token/rotate', {
    headers: { admintoken },
    body: { graceSeconds: 3_600 },
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

/** Texts of every kind, written wherever one may be written, and read there. */
export async function textsComeBack({ ana }: Scene, { requests, seed }: Amount): Promise<void> {
  await fc.assert(
    fc.asyncProperty(lines, (line) => comesBack(ana, `<${line}>`)),
    { numRuns: requests, seed },
  )
}

function reporter(run: fc.RunDetails<[GeneratedRequest]>): void {
  if (!run.failed) return
  const [request] = run.counterexample ?? []
  const { counterexamplePath, seed, numShrinks } = run
  const error = run.errorInstance instanceof Error ? run.errorInstance.message : String(run.errorInstance)
  throw new Error(
    `${error}\nseed ${seed}, path ${counterexamplePath}, ${numShrinks} times shrunk:\n${JSON.stringify(request, null, 2)?.slice(0, 3_000)}`,
  )
}

async function comesBack(ana: TestInstance, text: string): Promise<void> {
  const ask = async <T = Json>(method: string, path: string, body?: Json): Promise<T> => {
    const answer = await ana.call<T>(method, path, body)
    assert.equal(answer.status, 200, `${path} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  await ask('POST', '/instance/updateInstanceName', { name: text })
  assert.equal((await ask<{ instance: Json }>('GET', '/instance/status')).instance.name, text)

  await ask('POST', '/chat/editLead', { id: BEN, lead_notes: text, lead_field07: text })
  const find = async (lead_notes: string) =>
    (await ask<{ chats: Json[] }>('POST', '/chat/find', { phone: BEN, lead_notes })).chats
  for (const one of await find(`~${text}`)) assert.deepEqual([one.lead_notes, one.lead_field07], [text, text])
  assert.deepEqual([(await find(`~${text}`)).length, (await find(`!~${text}`)).length], [1, 0])

  const made = await ana.call<Json>('POST', '/knowledge/edit', { knowledge: { tittle: text, content: text } })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { id } = made.body
  const entry = (await ask<Json[]>('GET', '/knowledge/list')).find((one) => one.id === id)
  assert.deepEqual([entry?.tittle, entry?.content], [text, text])
  await ask('POST', '/knowledge/edit', { id, delete: true })

  const spelt = text.replaceAll('{{', '{')
  const sent = await ask('POST', '/send/text', { number: BEN, text: spelt, track_id: text, track_source: text })
  const { messages } = await ask<{ messages: Json[] }>('POST', '/message/find', { track_id: text, limit: 1 })
  const [found] = messages
  assert.deepEqual([found?.messageid, found?.text, found?.track_source], [sent.messageid, spelt, text])
}

export interface Scene {
  readonly gateway: Gateway
  /** Paired; BEN and EVE have written to her. */
  readonly ana: TestInstance
  /** The operations that were answered with 200 so far. */
  readonly taken: ReadonlySet<string>
  known(field: string, operationId: string): readonly unknown[]
  /** @throws AssertionError when the answer is none that may be */
  ask(operation: Operation, request: GeneratedRequest): Promise<void>
  canary(): Promise<string[]>
  /** Lines of PostgreSQL's log about statements that are none, or values that do not fit their columns. */
  badStatements(): string[]
}

export async function startScene(t: Cleanup): Promise<Scene> {
  let log = ''
  const postgres = await testPostgres(t, (folder) => {
    log = path.join(folder, 'postgresql.log')
    return { log_line_prefix: '%e ', log_min_error_statement: 'error', log_min_messages: 'error' }
  })
  const files = await startFileServer(t)
  files.on('/picture.png', await png())
  files.on('/page', Buffer.from('<title>A page</title>'))
  files.on('/hook', Buffer.from(''))
  const world = await startWorld(t, environment, { postgres })
  const pool = new pg.Pool({ connectionString: postgres.connectionString, max: 1 })
  t.after(() => pool.end())
  await pool.query("CREATE TABLE canary (text text); INSERT INTO canary VALUES ('alive')")

  for (const [number, name] of [
    [BEN, 'Ben'],
    [EVE, "O'Eve"],
    [KIM, 'Kim'],
  ])
    await world.phone(String(number), name)
  const ana = await world.paired(String(ANA), 'Ana')
  const zoe = await world.paired(String(ZOE), 'Zoe')
  // It is stopped and started, and stays paired.
  const sam = await world.paired(String(SAM), 'Sam')
  // Given away, again and again.
  const mia = await world.paired(String(MIA), 'Mia')
  // Has a webhook that nobody changes while it is tested.
  const hooked = await world.instance('has a webhook')
  await hooked.hook(`${files.url}/hook`, { events: ['messages'] })
  const never = await world.instance('never paired')
  const pairing = await world.instance('pairing')
  assert.equal((await pairing.call('POST', '/instance/connect', {})).status, 200)
  const rotated = await world.instance('gets other tokens')
  const known = await furnish(world, { ana, hooked, mia, rotated }, files)

  const createPass = async ({ call }: TestInstance): Promise<string> =>
    String((await call('POST', '/pass', {})).body.token)

  async function tokensFor({ operationId, tokens }: Operation, as: Credential): Promise<Record<string, string>> {
    if (as === 'none') return {}
    if (as === 'wrong') return { token: "' OR 1=1 --", admintoken: "' OR 1=1 --" }
    if (tokens.includes('token')) {
      // Their token is of no use afterwards.
      if (operationId === 'deleteInstance' || operationId === 'rotateToken')
        return { token: (await world.instance('to be used once')).token }
      if (operationId === 'endPass' && as === 'right')
        return { token: await createPass(await world.instance('ends a pass')) }
      if (as === 'other') return { token: operationId === 'showQrCode' ? pairing.token : never.token }
      if (['stopInstance', 'startInstance'].includes(operationId)) return { token: sam.token }
      if (operationId === 'testWebhook') return { token: hooked.token }
      return { token: endings.has(operationId) ? zoe.token : ana.token }
    }
    if (operationId === 'rotateAdminToken') return { admintoken: 'of nobody' }
    return as === 'right' ? { admintoken: world.gateway.adminToken } : { token: ana.token }
  }

  const taken = new Set<string>()
  return {
    taken,
    ana,
    gateway: world.gateway,
    known: (field, operationId) => known(field, operationId),
    async ask(operation, request) {
      const answer = await send(world, request, await tokensFor(operation, request.as))
      const shown = `${operation.operationId} → ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 600)}`
      try {
        contract.check(operation, answer)
      } catch (error) {
        throw new Error(`${(error as Error).message}\n${shown}`)
      }
      if (answer.status === 200 || answer.status === 202) taken.add(operation.operationId)
      if (answer.status >= 500) assertPromised(operation, (answer.body as { code: string }).code, shown)
    },
    async canary() {
      const { rows } = await pool.query<{ text: string }>('SELECT text FROM canary')
      return rows.map(({ text }) => text)
    },
    badStatements: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => /^(22|42|XX|57014)/.test(line)),
  }
}

const environment = {
  RATE_LIMIT_ADDRESS_PER_SECOND: '0',
  RATE_LIMIT_TOKEN_PER_SECOND: '0',
  RATE_LIMIT_INSTANCE_PER_SECOND: '0',
  RATE_LIMIT_REFUSED_PER_MINUTE: '0',
  CONNECT_WAIT_MS: '1000',
  PRESENCE_MAX_MS: '500',
  MEDIA_FETCH_TIMEOUT_MS: '3000',
  WEBHOOK_TIMEOUT_MS: '1000',
  FFMPEG_PATH: '/nonexistent/ffmpeg',
}

/** Something of everything; what of it may stand in which field. */
async function furnish(
  world: World,
  { ana, hooked, mia, rotated }: Readonly<Record<'ana' | 'hooked' | 'mia' | 'rotated', TestInstance>>,
  files: FileServer,
) {
  const post = async (path: string, body: Json): Promise<Json> => {
    const { status, body: answer } = await ana.call<Json>('POST', path, body)
    assert.equal(status, 200, `${path} ${JSON.stringify(answer)}`)
    return answer
  }
  const phone = <T = Json>(number: string | undefined, what: string, body: Json) =>
    world.network<T>('POST', `/phones/${number}/${what}`, body)
  const group = (fields: Json) =>
    world.network<{ jid: string; inviteCode: string }>('POST', '/groups', {
      owner: BEN,
      members: [ANA, KIM],
      ...fields,
    })

  await phone(ANA, 'payments', {})
  await world.network('PUT', `/phones/${ANA}/business`, { description: 'We sell' })
  const images = [(await png()).toString('base64')]
  const products = await Promise.all(
    [1, 2, 3, 4].map(async (one) => {
      const { response } = await post('/business/catalog/create', { name: `product ${one}`, images })
      return String((response as Json).id)
    }),
  )
  const posted = await post('/send/status', { type: 'text', text: 'a status', recipients: [BEN] })
  await phone(BEN, 'text', { to: ANA, text: 'from Ben' })
  const asked = await ana.done('/send/menu', { number: BEN, type: 'poll', text: 'Which?', choices: ['A', 'B'] })
  const { id: received } = await phone<{ id: string }>(EVE, 'text', { to: ANA, text: "it's 100 %" })
  const picture = await phone<{ id: string }>(BEN, 'media', { to: ANA, kind: 'image', sizeBytes: 2_000 })
  const sent = await ana.text(String(BEN), 'hello')
  const another = await ana.text(String(BEN), 'to be deleted')
  const own = await group({ owner: ANA, members: [BEN, KIM], subject: 'own' })
  const member = await group({ subject: 'member' })
  const toGroup = await ana.text(own.jid, 'to all')
  const poll = await post('/send/menu', { number: BEN, type: 'poll', text: 'When?', choices: ['Nine', 'Ten'] })
  const leaving = await Promise.all([1, 2, 3].map((one) => group({ subject: `to leave ${one}` })))
  const foreign = await group({ members: [KIM], subject: 'foreign' })
  const { group: parent } = await post('/community/create', { name: 'parent' })
  const { quickReplies } = await post('/quickreply/edit', { shortCut: 'hours', type: 'text', text: 'from 8 to 5' })
  const channels = await Promise.all(
    [1, 2, 3].map(async (one) => (await post('/newsletter/create', { name: `channel ${one}` })).response as Json),
  )
  const news = await world.network<{ jid: string; invite: string }>('POST', '/channels', { owner: BEN, name: 'news' })
  const written = await world.network<{ serverid: number }[]>('POST', `/channels/${news.jid}/posts`, { count: 2 })
  const call = await phone<{ id: string }>(BEN, 'call', { to: ANA })
  const made = await post('/function/edit', { function: { name: 'weather', method: 'GET', endpoint: files.url } })
  const knowledge = { tittle: 'Hours', content: 'from 8 to 5' }
  const { body: entry } = await ana.call<Json>('POST', '/knowledge/edit', { knowledge })
  const agent = { name: 'Ana', provider: 'custom', model: 'm', baseUrl: files.url }
  const { id: agentId } = (await ana.call<Json>('POST', '/agent/edit', { agent })).body
  const trigger = await ana.call<Json>('POST', '/trigger/edit', { trigger: { type: 'agent', agent_id: agentId } })
  assert.equal(trigger.status, 201, JSON.stringify(trigger.body))
  await ana.hook(`${files.url}/hook`, { events: ['messages', 'chats'] })
  const all = { url: `${files.url}/hook`, events: ['groups'], enabled: true }
  assert.equal((await world.gateway.call('POST', '/globalwebhook', { admin: true, body: all })).status, 200)
  const [hook] = (await ana.call<Json[]>('GET', '/webhook')).body
  const [tested] = (await hooked.call<Json[]>('GET', '/webhook')).body
  const keys = await Promise.all([1, 2, 3].map(() => post('/instance/keys', { name: 'a key', scopes: ['read'] })))
  const passes = await Promise.all([1, 2, 3].map(() => post('/pass', {})))
  await post('/instance/presence', { presence: 'available' })
  const inADay = Date.now() + 86_400_000
  const planned = await Promise.all(
    Array.from({ length: 20 }, () => post('/send/text', { number: EVE, text: 'planned', send_at: inADay })),
  )
  for (const id of ['1', '2']) await phone(ANA, 'labels', { id, name: `label ${id}` })
  await eventually(
    () => ana.call<Json[]>('GET', '/labels'),
    ({ body }) => body.length >= 2,
  )
  await eventually(
    () => ana.call<{ messages: Json[] }>('POST', '/message/find', {}),
    ({ body }) => body.messages.length >= 5,
  )
  const { fileURL } = await post('/message/download', { id: picture.id, return_link: true })
  const link = String(fileURL)
  const chats = [`${BEN}@s.whatsapp.net`, BEN, `+${EVE}`, KIM, ANA, nobody, own.jid, member.jid, foreign.jid]
  const messages = [sent.id, sent.messageid, received, picture.id, 'ABCDEF0123456789']
  const ids = [...messages, call.id, made.id, entry.id, hook?.id, ana.id]
  const groups = [own.jid, own.jid, own.jid, member.jid, foreign.jid, '120363000000000009@g.us']
  const withUser = files.url.replace('//', '//a:b@')
  const urls = [
    `${files.url}/page`,
    `${files.url}/hook`,
    'http://127.0.0.1:1/',
    'ftp://example.org/',
    `${withUser}/hook`,
  ]
  const pictures = [
    `${files.url}/picture.png`,
    (await png()).toString('base64'),
    'data:image/png;base64,',
    'QUJD',
    ...urls,
  ]
  const fields: Readonly<Record<string, readonly unknown[]>> = {
    number: [...chats, '1@newsletter', 'status@broadcast', '123@lid', '@s.whatsapp.net'],
    numbers: chats,
    scopes: ['send'],
    phone: [BEN, nobody, `+${KIM}`],
    phoneNumber: [BEN, `${BEN},${EVE}`],
    participants: [BEN, EVE, KIM, ANA, nobody, `${BEN}@s.whatsapp.net`],
    chatid: chats,
    groupjid: groups,
    inviteCode: [
      foreign.inviteCode,
      member.inviteCode,
      `https://chat.whatsapp.com/${foreign.inviteCode}`,
      'x'.repeat(22),
    ],
    id: ids,
    ids,
    replyid: messages,
    webhookId: [hook?.id],
    'path instance': [link.split('/').at(-3)],
    'path file': [link.split('/').at(-2)],
    'path proof': [link.split('/').at(-1)],
    'path id': [ana.id, 'no-such-node'],
    mentions: ['all', `${BEN}`, `${BEN},${EVE}`],
    labelid: ['1', '2', '99'],
    labelids: ['1', '2'],
    text: ['hello {{name}}', `see ${files.url}/page`, '👍'],
    choices: [
      'A',
      'B|b',
      'C|copy:1',
      'D|call:15550640002',
      `E|${files.url}/page`,
      '[Section]',
      `{${files.url}/picture.png}`,
    ],
    pixType: ['CPF', 'cpf'],
    pixKey: ['52998224725', '529.982.247-25'],
    file: pictures,
    image: pictures,
    imageButton: pictures,
    thumbnail: pictures,
    linkPreviewImage: pictures,
    url: urls,
    endpoint: [`${files.url}/{{city}}`],
    from: ['2026-01-01T00:00:00Z'],
    events: ['messages', 'messages,chats'],
    status: ['sent', 'READ'],
    sort: ['+wa_name', '-wa_unreadCount', 'name'],
    // Nobody waits for a test of what is asked.
    delay: [0, 1],
  }
  const ofChannels = Object.fromEntries([
    ...followed.flatMap((name) => [[`${name} id`, [news.jid]] as const, [`${name} jid`, [news.jid]] as const]),
    ...ofOwner.flatMap((name) => {
      const jids = (name === 'deleteChannel' ? channels.slice(1) : channels.slice(0, 1)).map(({ id }) => id)
      return [[`${name} id`, jids] as const, [`${name} jid`, jids] as const]
    }),
  ])
  const special: Readonly<Record<string, readonly unknown[]>> = {
    ...ofChannels,
    'findChannel key': [channels[0]?.link, `https://whatsapp.com/channel/${news.invite}`],
    'markPostsViewed serverids': written.map(({ serverid }) => serverid),
    'reactToPost serverid': written.map(({ serverid }) => serverid),
    'reactToPost reaction': ['👍', ''],
    'setChannelPicture picture': [...pictures.slice(0, 2), 'remove'],
    'inviteChannelAdmin phone': [BEN],
    'editLead id': chats,
    'updateAdminFields id': [ana.id],
    'exportInstance id': [mia.id],
    'cancelExport id': [mia.id],
    'rotateInstanceToken path id': [rotated.id],
    'endListedPass path id': passes.map(({ pass }) => (pass as Json).id),
    'updateTags id': [ana.id],
    'restartConnections ids': [[rotated.id]],
    'changeInstances ids': [[rotated.id]],
    'changeInstances dryRun': [true],
    'deleteKey path id': keys.map(({ key }) => (key as Json).id),
    'importInstance file': ['QUJD'],
    'importSession file': ['QUJD'],
    'importInstance passphrase': ['not that of any file'],
    'editAgent id': [agentId],
    'testAgent agent_id': [agentId],
    'testAgent placeholders': [{ 'chat.phone': BEN }],
    'editAgent functions': [[made.id]],
    'editAgent knowledge': [[entry.id]],
    'editAgent baseUrl': [files.url],
    'editTrigger id': [trigger.body.id],
    'editTrigger agent_id': [agentId],
    'editTrigger timezone': ['America/Sao_Paulo', 'UTC'],
    'editTrigger days': [['mon', 'tue']],
    'editTrigger from': ['08:00'],
    'editTrigger to': ['18:00'],
    'editFunction id': [made.id],
    'testFunction id': [made.id],
    'testFunction placeholders': [{ 'chat.phone': BEN }],
    'editKnowledge id': [entry.id],
    'setProxy mode': ['none'],
    'setProxy confirm_no_proxy': [true],
    // A test of it must be able to succeed.
    'setGlobalWebhook url': [`${files.url}/hook`, `${withUser}/hook`],
    'setProxy proxy_url': ['http://127.0.0.1:1'],
    'setWebhook id': [hook?.id],
    'testWebhook id': [tested?.id],
    'sendCarousel id': [`${files.url}/page`, BEN, 'code'],
    'sendCarousel number': [BEN],
    'sendCarousel image': pictures.slice(0, 2),
    'sendCarousel video': [''],
    'sendCarousel document': [''],
    'sendCarousel type': ['REPLY', 'COPY'],
    'sendCarousel text': ['A', 'B', 'C'],
    'sendRequestPayment number': [BEN],
    'sendRequestPayment amount': [1, 10.5],
    'sendRequestPayment pixType': ['EVP'],
    'sendRequestPayment pixKey': ['123e4567-e89b-12d3-a456-426614174000'],
    'sendRequestPayment fileName': [''],
    'sendRequestPayment text': ['A'],
    'sendRequestPayment invoiceNumber': ['A-1'],
    'sendRequestPayment paymentLink': ['https://pay.example/x'],
    'sendRequestPayment boletoCode': ['03399025859780000000600000101012199990000014990'],
    'sendRequestPayment fileUrl': [''],
    'sendRequestPayment send_at': [inADay],
    'sendRequestPayment timezone': ['America/Sao_Paulo'],
    'sendRequestPayment pixName': ['Shop'],
    'sendForward number': [BEN],
    'sendForward id': [sent.messageid, sent.id],
    'sendEvent startTime': ['2027-01-31T19:00:00Z'],
    'sendEvent endTime': ['2027-01-31T20:00:00Z'],
    'addProduct name': ['Bread'],
    'addProduct images': images,
    'addProduct price': [100],
    'addProduct url': [''],
    'addProduct currency': ['BRL'],
    'changeProduct id': products.slice(0, 2),
    'changeProduct images': images,
    'showProduct id': products.slice(0, 2),
    'hideInCatalog id': products.slice(0, 2),
    'showInCatalog id': products.slice(0, 2),
    'deleteProduct id': products.slice(2),
    'listCatalog after': [''],
    'listCatalog jid': [ANA],
    'showProduct jid': [ANA],
    'showBusinessProfile jid': [ANA],
    'listStatusViews id': [posted.messageid],
    'sendStatus type': ['text'],
    'sendStatus audience': ['allowlist'],
    'sendStatus recipients': [BEN, EVE],
    'starMessage id': [received],
    'votePoll id': [asked.messageid],
    'votePoll options': ['A', 'B'],
    'sendGroupInvite number': [BEN],
    'sendProduct number': [BEN],
    'sendProduct id': products.slice(0, 2),
    'sendProduct jid': [ANA],
    'sendProduct image': pictures.slice(0, 2),
    'sendAlbum number': [BEN],
    'sendAlbum type': ['image'],
    'sendAlbum file': pictures.slice(0, 2),
    'sendAlbum send_at': [],
    'sendGroupInvite groupjid': [own.jid],
    'showMessageInfo id': [toGroup.messageid],
    'exportParticipants groupjid': [own.jid],
    'listMessageVotes id': [sent.messageid],
    'listMessageReactions id': [received],
    'reactToMessage id': [received],
    'reactToMessage number': [EVE],
    'reactToMessage text': ['👍', '', '👩‍👩‍👧‍👦'],
    'editMessage id': [sent.id, sent.messageid],
    'deleteMessage id': [another.messageid, sent.messageid],
    'labelChat number': [`${BEN}@s.whatsapp.net`],
    'downloadMessage id': [picture.id],
    'deleteChat number': [EVE],
    'makeCall call_duration': [1, 2],
    'createCallLink startTime': ['2027-01-31T19:00:00Z'],
    'rejectCall id': [call.id],
    'rejectCall number': [BEN],
    'sendMedia type': ['image', 'document'],
    'sendMedia file': pictures.slice(0, 2),
    'updateGroupImage image': [...pictures.slice(0, 2), 'remove'],
    'updateGroupImage groupjid': [own.jid],
    'updateParticipants groupjid': [own.jid],
    'tellInviteLink path groupJID': groups,
    'editCommunityGroups community': [(parent as Json).JID],
    'editCommunityGroups groupjids': groups,
    'setPresence presence': ['available'],
    'editScheduled id': planned.map(({ messageid }) => messageid),
    'editScheduled revision': [1, 2],
    'editScheduled send_at': [inADay],
    'editScheduled timezone': ['America/Sao_Paulo'],
    // Sends of other operations must not wait for hours.
    'updateDelaySettings msg_delay_min': [-1, 0],
    'updateDelaySettings msg_delay_max': [-1, 0],
    'contactPresence path number': [BEN, EVE, nobody],
    'showLidOfNumber path number': [BEN, nobody],
    'showNumberOfLid path lid': ['100000000000002@lid', BEN],
    'listMessageVotes path id': [poll.messageid],
    'listMessageReactions path id': [sent.messageid, received],
    'listEvents since': ['0', 'latest', '3'],
    'editQuickReply id': (quickReplies as Json[]).map(({ id }) => id),
    'leaveGroup groupjid': [...leaving.map(({ jid }) => jid), foreign.jid],
  }
  const filters: Readonly<Record<string, readonly unknown[]>> = { delay: [0, 1, 300, '>=0'] }
  const freshIds = Array.from(
    { length: 4_000 },
    (_, index) => `AB00${index.toString(16).toUpperCase().padStart(12, '0')}`,
  )
  return (field: string, operationId: string): readonly unknown[] => {
    const own = special[`${operationId} ${field}`]
    if (own !== undefined) return own
    // Each send takes an id of its own, once.
    if (field === 'messageid' && operationId !== 'syncHistory') return freshIds
    if (operationId === 'findChats') return filters[field] ?? fields[field] ?? ['~a', '!~b', '!=c', '>=1', '<5', 'true']
    return fields[field.replace('invitecode', 'inviteCode').replace(/^(add|remove)_/, '')] ?? []
  }
}

async function send(world: World, request: GeneratedRequest, tokens: Readonly<Record<string, string>>) {
  const { method, path: asked, headers, body } = request
  const reading = new AbortController()
  const response = await fetch(world.gateway.url + asked, {
    method,
    headers: { ...headers, ...tokens },
    signal: reading.signal,
    ...(body === undefined
      ? {}
      : { body: body.startsWith('latin1:') ? Buffer.from(body.slice(7), 'latin1') : Buffer.from(body) }),
  })
  const contentType = response.headers.get('content-type') ?? ''
  if (contentType.startsWith('text/event-stream')) {
    reading.abort()
    return { status: response.status, contentType, body: '' }
  }
  const text = await response.text()
  return {
    status: response.status,
    contentType,
    body: contentType.startsWith('application/json') ? (JSON.parse(text) as unknown) : text,
  }
}

/** The answers from 500 that are no fault while all parts are up, and why. */
const promised: Readonly<Record<string, string>> = {
  NOT_SUPPORTED: 'Status posts and broadcast lists cannot be sent to.',
  FETCH_FAILED: 'A file or page that is asked for by its URL cannot be had.',
  'connectInstance PAIRING_FAILED': 'The network knows no such number.',
  'setProxy PROXY_FAILED': 'There is no proxy at that address.',
  'updateBusinessProfile CHANGE_FAILED': 'The specification: 500 when the network refuses all fields.',
  'addProduct CHANGE_FAILED': 'The network refuses an image by a URL that is none of its own.',
  'changeProduct CHANGE_FAILED': 'The same.',
  'rejectCall CALL_REJECT_FAILED': 'The specification: 500 when the network refuses; here, for there is no such call.',
}

function assertPromised({ operationId }: Operation, code: string, shown: string): void {
  assert.ok(
    promised[code] !== undefined || promised[`${operationId} ${code}`] !== undefined,
    `an error from 500: ${shown}`,
  )
}
