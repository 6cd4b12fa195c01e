/** Every operation of the document, asked of a node that owns the instance and of one that does not: the same kind of answer. */
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { openApiDocument } from '../../api/openapi.js'
import { routes } from '../../api/routes.js'
import { loadSchemas } from '../../schemas/schema-registry.js'
import type { Cleanup } from '../support/cleanup.js'
import type { Cluster, ClusterNode } from '../support/cluster.js'
import { type Operation, readContract } from '../support/contract.js'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { png } from '../support/samples.js'
import type { TestInstance } from '../support/world.js'

type Json = Record<string, unknown>
type Calls = Readonly<Record<string, readonly [Call, Call]>>
/** Ids of this scene, by those of the document's examples. */
type Known = Readonly<Record<string, string>>

/** Values and answers of a call that differ from the example in the OpenAPI document. */
interface Call {
  readonly body?: Json
  readonly path?: string
  /** Undefined: that of the instance. */
  readonly token?: string
  /** Undefined: 200. */
  readonly expects?: number
}

export async function assertAnswersAlike(
  t: Cleanup,
  cluster: Cluster,
  ana: TestInstance,
  { owner, other }: Readonly<Record<'owner' | 'other', ClusterNode>>,
  proxyUrl: string,
): Promise<void> {
  const contract = readContract(JSON.stringify(openApiDocument(routes, loadSchemas())))
  const { calls, known } = await rightCalls(t, cluster, ana, owner, proxyUrl)
  const names = contract.operations.map(({ operationId }) => operationId)
  assert.deepEqual(
    Object.keys(calls).filter((name) => !names.includes(name)),
    [],
  )
  const unlike: string[] = []
  // Other operations need the instances that this one deletes.
  const isLast = ({ operationId }: Operation) => operationId === 'deleteInstance'
  const ordered = [...contract.operations.filter((one) => !isLast(one)), ...contract.operations.filter(isLast)]
  for (const operation of ordered) {
    const shownCall = showCall(operation, ana, known)
    // Each asks for the same of another thing, where it can be done but once.
    const [toOther, toOwner] = calls[operation.operationId] ?? [{}, {}]
    assert.doesNotMatch(toOther.path ?? shownCall.path, /\{/, `${operation.operationId} has no path in rightCalls`)
    const answers = [
      await ask(operation, other, { ...shownCall, ...toOther }, cluster, ana),
      await ask(operation, owner, { ...shownCall, ...toOwner }, cluster, ana),
    ]
    for (const answer of answers) contract.check(operation, answer)
    const [there, here] = answers.map(({ status, body }) => ({ status, shape: describeShape(body) }))
    const shown = `${operation.operationId} ${JSON.stringify(answers).slice(0, 1_500)}`
    if (!isDeepStrictEqual(there, here) || there?.status !== (toOther.expects ?? 200)) unlike.push(shown)
    if (['resetInstance', 'setProxy'].includes(operation.operationId)) await ana.connected()
  }
  assert.deepEqual(unlike, [])
}

/** The call that the document shows, about the things of this scene. */
function showCall({ path, example }: Operation, { id }: TestInstance, known: Known): Call & { readonly path: string } {
  let body = example === undefined ? undefined : JSON.stringify(example)
  for (const [placeholder, there] of Object.entries(known)) body = body?.replaceAll(placeholder, there)
  return {
    path: path.replace('/admin/instances/{id}/', `/admin/instances/${id}/`),
    ...(body === undefined ? {} : { body: JSON.parse(body) as Json }),
  }
}

async function ask(operation: Operation, node: ClusterNode, call: Call, { nodes }: Cluster, ana: TestInstance) {
  const isAdmin = operation.tokens.includes('admintoken')
  const reading = new AbortController()
  const response = await fetch(node.url + (call.path ?? operation.path), {
    method: operation.method,
    headers: {
      ...(isAdmin ? { admintoken: nodes[0]?.adminToken ?? '' } : { token: call.token ?? ana.token }),
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    signal: reading.signal,
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  })
  const contentType = response.headers.get('content-type') ?? ''
  const isEndless = contentType.startsWith('text/event-stream')
  const text = isEndless ? '' : await response.text()
  if (isEndless) reading.abort()
  const body: unknown = contentType.startsWith('application/json') ? JSON.parse(text) : text
  return { status: response.status, contentType, body }
}

/** The names of what an answer holds; of an error its code. */
function describeShape(body: unknown): unknown {
  if (Array.isArray(body)) return 'array'
  if (typeof body !== 'object' || body === null) return typeof body
  const { error, code } = body as Json
  return typeof error === 'string' && typeof code === 'string' ? code : Object.keys(body).toSorted()
}

/** The scene, and by operation what its two calls do otherwise than the document shows: other things, or another answer. */
async function rightCalls(
  t: Cleanup,
  cluster: Cluster,
  ana: TestInstance,
  owner: ClusterNode,
  proxyUrl: string,
): Promise<{ calls: Calls; known: Known }> {
  const receiver = await startReceiver(t)
  const [BEN, ...more] = ['15550460001', '15550460002', '15550460003'] as const
  for (const number of [BEN, ...more]) await cluster.phone(number)
  const asBen = <T>(what: string, body: Json) => cluster.network<T>('POST', `/phones/${BEN}/${what}`, body)
  const two = async <T>(make: (one: number) => Promise<T>): Promise<[T, T]> => [await make(0), await make(1)]
  const group = async (members: readonly string[]) =>
    await cluster.network<{ jid: string; inviteCode: string }>('POST', '/groups', { owner: BEN, members, subject: 'A' })

  const { lid: benLid } = await cluster.network<{ lid: string }>('GET', `/phones/${BEN}`)
  const received = await two(() => asBen<{ id: string }>('text', { to: ana.number, text: 'hello' }))
  for (const number of more) await cluster.network('POST', `/phones/${number}/text`, { to: ana.number, text: 'hello' })
  const sent = await two((one) => ana.text(BEN, `hello ${one}`))
  const aPoll = { number: BEN, type: 'poll', text: 'x', choices: ['A', 'B'] }
  const polls = await two(() => ana.call<{ messageid: string }>('POST', '/send/menu', aPoll))
  const doomed = await two((one) => ana.text(BEN, `to be deleted ${one}`))
  const status = { type: 'text', text: 'a post', recipients: [BEN] }
  const posts = await two(() => ana.call<{ messageid: string }>('POST', '/send/status', status))
  await cluster.network('PUT', `/phones/${ana.number}/business`, { description: 'Bread' })
  const product = { name: 'Bread', images: [(await png()).toString('base64')] }
  const addProduct = () => ana.call<{ response: { id: string } }>('POST', '/business/catalog/create', product)
  const productId = (await addProduct()).body.response.id
  const doomedProducts = await two(addProduct)
  const orderMessage = { orderId: 'o1', token: 't1', itemCount: 1, totalAmount1000: 1000, totalCurrencyCode: 'BRL' }
  await cluster.network('PUT', `/phones/${ana.number}/orders/o1`, { token: 't1', currency: 'BRL', products: [] })
  const order = await asBen<{ id: string }>('message', { to: ana.number, message: { orderMessage } })
  const madeChannel = (owner: string) =>
    cluster.network<{ jid: string; invite: string }>('POST', '/channels', { owner, name: 'News' })
  const channel = await madeChannel(ana.number)
  const [doomedChannels, handedOver, invitedTo, foreignChannel] = [
    await two(() => madeChannel(ana.number)),
    await two(() => madeChannel(ana.number)),
    await two(() => madeChannel(BEN)),
    await madeChannel(BEN),
  ]
  for (const { jid } of handedOver) await cluster.network('PATCH', `/channels/${jid}`, { admins: [BEN] })
  for (const { jid } of invitedTo) await cluster.network('PATCH', `/channels/${jid}`, { invited: [ana.number] })
  await cluster.network('PATCH', `/channels/${channel.jid}`, { admins: more, invited: more })
  const written = { text: 'a post', count: 4 }
  const onChannel = await cluster.network<{ serverid: number }[]>('POST', `/channels/${channel.jid}/posts`, written)
  const serverids = onChannel.map(({ serverid }) => serverid)
  const planned = await two((one) => ana.text(BEN, `planned ${one}`, { send_at: Date.now() + 3_600_000 }))
  const given = await two((one) => ana.text(BEN, `given up ${one}`, { send_at: Date.now() + 3_600_000 }))
  const ringing = await two(() => asBen<{ id: string }>('call', { to: ana.number }))
  const leaving = await two(() => group([ana.number]))
  const foreign = await two(() => group([]))
  const own = await ana.call<{ JID: string }>('POST', '/group/create', { name: 'own', participants: [BEN] })
  const groupText = await ana.text(String(own.body.JID), 'to all')
  const poll = await ana.done('/send/menu', { number: BEN, type: 'poll', text: '?', choices: ['a', 'b'] })
  const parent = await ana.call<{ group: { JID: string } }>('POST', '/community/create', { name: 'parent' })
  const label = await ana.call<{ labelid: string }>('POST', '/label/edit', { name: 'a label', color: 1 })
  const key = { name: 'a key', scopes: ['read'] }
  const keys = await two(() => ana.call<{ key: { id: string } }>('POST', '/instance/keys', key))
  const passes = await two(() => owner.call<{ pass: { id: string } }>('POST', '/pass', { admin: true, body: {} }))
  const later = { numbers: [BEN], type: 'text', text: 'x', scheduled_for: 60 }
  const campaigns = await two(() => ana.call<{ folder_id: string }>('POST', '/sender/simple', later))
  const fields = { name: 'weather', method: 'POST', endpoint: receiver.url, body: {} }
  const weather = await ana.call<{ id: string }>('POST', '/function/edit', { function: fields })
  const made = [...posts, own, parent, label, ...keys, ...passes, ...campaigns, weather]
  for (const { status, body } of made) assert.equal(status, 200, JSON.stringify(body))
  const agent = { name: 'Ana', provider: 'openai', model: 'm', apikey: 'sk-0123456789abcdef', baseUrl: receiver.url }
  const { id: agentId } = (await ana.call<Json>('POST', '/agent/edit', { agent })).body
  await ana.hook(receiver.url)
  const hook = { url: receiver.url, events: ['messages'] }
  const global = await owner.call('POST', '/globalwebhook', { admin: true, body: { ...hook, enabled: false } })
  assert.equal(global.status, 200)
  const spare = await two(() => findSpare(cluster, owner))
  await eventually(
    () => ana.call<{ messages: Json[] }>('POST', '/message/find', { limit: 100 }),
    ({ body }) => [...received].every(({ id }) => body.messages.some(({ messageid }) => messageid === id)),
  )
  await eventually(
    async () => await Promise.all(more.map((one) => ana.call<{ chats: Json[] }>('POST', '/chat/find', { phone: one }))),
    (found) => found.every(({ body }) => body.chats.length === 1),
  )

  const both = (call: Call = {}): readonly [Call, Call] => [call, call]
  const body = (fields: Json) => both({ body: fields })
  const each = <T>(things: readonly [T, T], make: (thing: T) => Json): readonly [Call, Call] => [
    { body: make(things[0]) },
    { body: make(things[1]) },
  ]
  const image = (await png()).toString('base64')
  const groupjid = own.body.JID
  const known = {
    i1a2b3c4d5e6f7g8: ana.id,
    '5511999990002': BEN,
    '5511999990003': more[0],
    '120363000000000001@g.us': groupjid,
    '120363000000000001@newsletter': channel.jid,
    '0029VaAAAAAAAAAAAAAAAA01': channel.invite,
    '7000000000000001': productId,
  }
  const endpoint = 'https://example.org/'
  const calls: Calls = {
    // Dry runs: what changes do has tests of its own.
    changeInstances: body({ action: 'reset', ids: [ana.id], dryRun: true }),
    restartConnections: body({ ids: [ana.id], dryRun: true }),
    showJob: both({ path: '/admin/instances/bulk?id=none', expects: 404 }),
    cancelJob: both({ expects: 404 }),
    // The token of the call is not a pass.
    endPass: both({ expects: 404 }),
    endListedPass: [{ path: `/passes/${passes[0].body.pass.id}` }, { path: `/passes/${passes[1].body.pass.id}` }],
    deleteKey: [{ path: `/instance/keys/${keys[0].body.key.id}` }, { path: `/instance/keys/${keys[1].body.key.id}` }],
    // Moves have tests of their own.
    exportInstance: both({ body: { id: spare[0].id, passphrase: 'a long passphrase' }, expects: 409 }),
    importInstance: both({ expects: 400 }),
    importSession: both({ expects: 400 }),
    // It is connected: there is no code to scan.
    showQrCode: both({ expects: 404 }),
    // It is paired: nothing waits for a passkey.
    answerPasskey: both({ expects: 409 }),
    updateDelaySettings: body({ msg_delay_min: 0, msg_delay_max: 0 }),
    contactPresence: both({ path: `/contact/presence/${BEN}` }),
    confirmPasskey: both({ expects: 409 }),
    disconnectInstance: [{ token: spare[0].token }, { token: spare[1].token }],
    // These are not paired; those that are have a test of their own.
    stopInstance: [
      { token: spare[0].token, expects: 409 },
      { token: spare[1].token, expects: 409 },
    ],
    startInstance: [
      { token: spare[0].token, expects: 409 },
      { token: spare[1].token, expects: 409 },
    ],
    deleteInstance: [{ token: spare[0].token }, { token: spare[1].token }],
    setProxy: body({ mode: 'custom', proxy_url: proxyUrl }),
    // Everything that is asked of the account goes through its proxy, to the end.
    removeProxy: [{ token: spare[0].token }, { token: spare[1].token }],
    showBusinessProfile: body({}),
    listCatalog: body({}),
    showProduct: body({ id: productId }),
    deleteProduct: each(doomedProducts, ({ body: { response } }) => ({ id: response.id })),
    showOrder: body({ id: order.id }),
    followChannel: body({ id: foreignChannel.jid }),
    muteChannel: body({ id: foreignChannel.jid }),
    unmuteChannel: body({ id: foreignChannel.jid }),
    unfollowChannel: body({ id: foreignChannel.jid }),
    markPostsViewed: body({ id: channel.jid, serverids: [serverids[0]] }),
    reactToPost: body({ id: channel.jid, serverid: serverids[0], reaction: '👍' }),
    editChannelPost: body({ id: channel.jid, serverid: serverids[0], text: 'edited' }),
    deleteChannelPost: each([serverids[1], serverids[2]], (serverid) => ({ id: channel.jid, serverid })),
    acceptChannelAdmin: each(invitedTo, ({ jid }) => ({ id: jid })),
    removeChannelAdmin: each(more as [string, string], (phone) => ({ id: channel.jid, phone })),
    revokeChannelInvite: each(more as [string, string], (phone) => ({ id: channel.jid, phone })),
    transferChannel: each(handedOver, ({ jid }) => ({ id: jid, phone: BEN })),
    deleteChannel: each(doomedChannels, ({ jid }) => ({ id: jid })),
    setProfileImage: body({ image: `data:image/png;base64,${image}` }),
    listConnectionHistory: both({ path: '/instance/connections?limit=2' }),
    // The other tests of this cluster reject calls themselves.
    setCallSettings: body({ people: { reject: false } }),
    sendCarousel: body({ number: BEN, text: 'x', carousel: [{ text: 'A', buttons: [{ text: 'B', type: 'REPLY' }] }] }),
    sendForward: each(sent, ({ messageid }) => ({ number: more[0], id: messageid })),
    // These nodes have no storage of files; sending and fetching them has tests of its own.
    sendMedia: both({ expects: 503 }),
    listStatusViews: each(posts, ({ body: { messageid } }) => ({ id: messageid })),
    // Two under one name would not be accepted.
    createSimpleCampaign: body({ numbers: [BEN], type: 'text', text: 'x', delayMin: 0, delayMax: 0 }),
    createAdvancedCampaign: body({ messages: [{ number: BEN, type: 'text', text: 'x' }], scheduled_for: 60 }),
    copyCampaign: body({ folder_id: campaigns[0].body.folder_id, recipients: 'all', scheduled_for: 60 }),
    editCampaign: each(campaigns, ({ body: { folder_id } }) => ({ folder_id, action: 'stop' })),
    showCampaignCourse: both({ path: `/sender/course?id=${campaigns[0].body.folder_id}` }),
    showCampaign: both({ path: `/sender/folder?id=${campaigns[0].body.folder_id}` }),
    listCampaignMessages: body({ folder_id: campaigns[0].body.folder_id }),
    campaignResults: both({ path: '/sender/results?folder_id=none', expects: 404 }),
    markRead: each(received, ({ id }) => ({ id: [id] })),
    reactToMessage: each(received, ({ id }) => ({ number: BEN, id, text: '👍' })),
    editMessage: each(sent, ({ messageid }) => ({ id: messageid, text: 'edited' })),
    deleteMessage: each(doomed, ({ messageid }) => ({ id: messageid })),
    pinMessage: each(sent, ({ messageid }) => ({ id: messageid, duration: 1 })),
    keepMessage: both({ body: { id: received[0].id }, expects: 501 }),
    votePoll: each(polls, ({ body: { messageid } }) => ({ id: messageid, options: ['A'] })),
    sendGroupInvite: body({ number: BEN, groupjid }),
    // As for sendMedia.
    sendProduct: both({ expects: 503 }),
    sendAlbum: both({ expects: 503 }),
    starMessage: each(sent, ({ messageid }) => ({ id: messageid })),
    listEvents: both({ path: '/events?limit=3' }),
    showNumberOfLid: both({ path: `/lids/${benLid}` }),
    showLidOfNumber: both({ path: `/lids/pn/${BEN}` }),
    exportParticipants: both({ path: `/group/participants/export?groupjid=${String(own.body.JID)}` }),
    showMessageInfo: both({ body: { id: groupText.messageid } }),
    listMessageVotes: both({ path: `/message/votes/${String(poll.messageid)}` }),
    listMessageReactions: both({ path: `/message/reactions/${String(received[0].id)}` }),
    syncHistory: body({ number: BEN, mode: 'exact', messageid: received[0].id }),
    downloadMessage: both({ body: { id: received[0].id }, expects: 404 }),
    giveFile: both({ path: '/media/none/none/none', expects: 404 }),
    editScheduled: each(planned, ({ messageid }) => ({ id: messageid, revision: 1, text: 'changed' })),
    cancelScheduled: [
      { path: `/message/scheduled?id=${String(given[0].messageid)}` },
      { path: `/message/scheduled?id=${String(given[1].messageid)}` },
    ],
    showPresence: body({ number: BEN, presence: 'composing', delay: 1 }),
    // One call at a time: a real one has a test of its own.
    makeCall: both({ body: { number: '15550469999' }, expects: 404 }),
    rejectCall: each(ringing, ({ id }) => ({ number: BEN, id })),
    giveChatPicture: both({ expects: 204 }),
    labelChat: body({ number: BEN, add_labelid: label.body.labelid }),
    deleteChat: each(more, (number) => ({ number, deleteChatDB: true })),
    blockPerson: body({ number: more[0], block: true }),
    editLabel: body({ labelid: label.body.labelid, name: 'another name', color: 2 }),
    refreshLabels: both({ expects: 202 }),
    joinGroup: each(foreign, ({ inviteCode }) => ({ inviteCode })),
    tellInvitation: each(foreign, ({ inviteCode }) => ({ invitecode: inviteCode })),
    leaveGroup: each(leaving, ({ jid }) => ({ groupjid: jid })),
    tellInviteLink: both({ path: `/group/invitelink/${groupjid}` }),
    editCommunityGroups: each(['add', 'remove'] as const, (action) => ({
      community: parent.body.group.JID,
      action,
      groupjids: [groupjid],
    })),
    updateGroupImage: body({ groupjid, image: `data:image/png;base64,${image}` }),
    updateParticipants: body({ groupjid, action: 'add', participants: [more[0]] }),
    editFunction: each(['one', 'two'] as const, (name) => ({ function: { name, method: 'GET', endpoint } })),
    testFunction: body({ id: String(weather.body.id) }),
    testAgent: body({ agent_id: agentId, messages: [{ role: 'user', text: 'hello' }] }),
    editAgent: both({ body: { agent }, expects: 201 }),
    listTurns: both({ path: '/agent/turns?limit=1&trace=true' }),
    showAgentUsage: both({ path: '/agent/usage?days=7' }),
    retryTurn: both({ expects: 404 }),
    editTrigger: both({ body: { trigger: { type: 'agent', agent_id: agentId } }, expects: 201 }),
    editKnowledge: both({ expects: 201 }),
    setWebhook: body(hook),
    // Nothing is checked with a Chatwoot that is not enabled.
    setChatwoot: body({
      ...{ enabled: false, url: 'https://chatwoot.example.com', access_token: 'x', account_id: 1, inbox_id: 1 },
    }),
    listDeliveries: both({ path: '/webhook/deliveries?state=delivered&limit=1' }),
    showDelivery: both({ path: '/webhook/deliveries/none', expects: 404 }),
    setGlobalWebhook: body({ ...hook, enabled: false }),
    showGlobalDelivery: both({ path: '/globalwebhook/deliveries/none', expects: 404 }),
    streamEvents: both({ path: '/sse?events=messages' }),
    // Drains have tests of their own.
    drainNode: both({ path: '/admin/nodes/none/drain', expects: 404 }),
  }
  return { calls, known }
}

/** An instance that is not paired, of that node. */
async function findSpare(cluster: Cluster, owner: ClusterNode): Promise<TestInstance> {
  for (;;) {
    const made = await cluster.instance('spare')
    const path = `/admin/instances/${made.id}/placement`
    const { body } = await owner.call<{ node: string }>('GET', path, { admin: true })
    if (body.node === owner.name) return made
  }
}
