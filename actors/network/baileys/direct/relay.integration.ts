import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  type BinaryNode,
  binaryNodeToString,
  type CacheStore,
  decodeBinaryNode,
  generateMessageIDV2,
  proto,
  type SignalDataSet,
  type SocketConfig,
} from '@whiskeysockets/baileys'
import { type BareClient, until } from '../../../../test/sandbox/bare-client.js'
import { useSandbox } from '../../../../test/sandbox/fixture.js'
import { extraNodes } from '../interactive.js'
import { stanzaAttributes } from '../outgoing.js'
import { introduce, isOtherPerson, tokenIssue } from '../relays.js'
import type { KeyName } from '../signal-keys.js'
import { signalTurns } from '../signal-mutex.js'
import { type GroupRelayOptions, relayToGroup } from './group-relay.js'
import { type DirectMessage, relayDirectly } from './relay.js'

const fixture = useSandbox(15550008000)

interface Talk {
  readonly client: BareClient
  /** The JIDs of the other one: by LID and by number. */
  readonly to: string
  readonly number: string
  readonly phones: readonly [own: string, other: string]
  /** Stanzas that the library has sent, as text. */
  readonly sent: string[]
  readonly devices: Map<string, unknown>
}

/** A client that has written to somebody, so that the library has found out what there is to find out. */
async function talk({ isAnswered = true } = {}): Promise<Talk> {
  const [sent, devices] = [[] as string[], new Map<string, unknown>()]
  const { phone, client } = await fixture.linked('Ana', {
    logger: spy((xml) => void sent.push(xml)),
    userDevicesCache: cacheOver(devices),
  })
  const other = await fixture.makePhone('Bruno')
  const number = `${other}@s.whatsapp.net`
  await client.socket.onWhatsApp(number)
  const to = `${(await client.socket.signalRepository.lidMapping.getLIDForPN(number))?.split('@')[0]?.split(':')[0]}@lid`
  await client.socket.relayMessage(to, { conversation: 'first' }, { messageId: generateMessageIDV2() })
  await fixture.seen(other, 'first')
  // The library alone loses this: it writes it in a transaction that has ended.
  const tokens = { token: Buffer.alloc(0), senderTimestamp: Math.floor(Date.now() / 1000) }
  client.credentials.values.set(`tctoken.${to}`, tokens)
  if (isAnswered) {
    await fixture.call('POST', `/phones/${other}/text`, { to: phone, text: 'an answer' })
    await until('the answer', () => client.received('an answer'))
  }
  return { client, to, number, phones: [phone, other], sent, devices }
}

function spy(onSent: (xml: string) => void): NonNullable<SocketConfig['logger']> {
  const logger = {
    level: 'trace',
    child: () => logger,
    trace: (about: unknown) => {
      const { xml, msg } = about as { xml?: string; msg?: string }
      if (msg === 'xml send' && xml !== undefined) onSent(xml)
    },
    debug() {},
    info() {},
    warn() {},
    error() {},
  }
  return logger
}

function cacheOver(entries: Map<string, unknown>): CacheStore & { get<T>(key: string): T | undefined } {
  return {
    get: <T>(key: string) => entries.get(key) as T | undefined,
    set: (key, value) => void entries.set(key, value),
    del: (key) => void entries.delete(key),
    flushAll: () => entries.clear(),
  }
}

/** Directly; whether it did, and the stanza as text. */
async function direct({ client, to, devices }: Talk, message: DirectMessage | proto.IMessage, toward = to) {
  let stanza = ''
  const issued: string[] = []
  const whole = 'bytes' in message ? (message as DirectMessage) : messageTo(toward, message)
  const { socket, credentials } = client
  const isDone = await relayDirectly(whole, {
    socket: {
      serverProps: socket.serverProps,
      sendRawMessage: async (bytes) => {
        stanza = binaryNodeToString((await decodeBinaryNode(Buffer.from(bytes))) as BinaryNode)
        await socket.sendRawMessage(bytes)
      },
    },
    credentials: credentials.creds,
    keys: credentials.keys,
    inSlot: signalTurns({ hold() {}, release: () => [] }, () => {}),
    devices: (user) => devices.get(user) as never,
    issueToken: (person) => issued.push(person),
  })
  return { isDone, id: whole.id, stanza, issued }
}

function messageTo(to: string, message: proto.IMessage): DirectMessage {
  return {
    id: generateMessageIDV2(),
    to,
    message,
    bytes: proto.Message.encode(message as proto.Message).finish(),
    attributes: stanzaAttributes(message),
    nodes: extraNodes(message),
  }
}

async function byLibrary({ client, to, sent }: Pick<Talk, 'client' | 'to' | 'sent'>, message: proto.IMessage) {
  const { id, attributes, nodes } = messageTo(to, message)
  const options = { messageId: id, additionalAttributes: { ...attributes }, additionalNodes: [...nodes] }
  await client.socket.relayMessage(to, message, options)
  const stanza = sent.find((xml) => xml.startsWith('<message') && xml.includes(`id='${id}'`))
  return { id, stanza: stanza ?? '' }
}

/** Without what differs from message to message. */
function shape(stanza: string): string {
  return stanza
    .replace(/<reporting>?[\s\S]*<\/reporting>\s*/, '')
    .replace(/(?<=<message id=')[^']+/, '…')
    .replace(/(?<=(decision_id|privacy_mode_ts)=')[^']+/g, '…')
    .replace(/(?<=<enc [^>]*>\s*)[0-9a-f]+/g, '…')
    .replace(/\s+/g, ' ')
}

/** Returns what a phone shows of a message. */
async function shown(phone: string, id: string) {
  const found = await until(`${id} on ${phone}`, async () =>
    (await fixture.call<Record<string, unknown>[]>('GET', `/phones/${phone}/messages?id=${id}`)).at(0),
  )
  const { kind, chat, own, text, menu, hidden, arrivals } = found
  return { kind, chat, own, text, menu, hidden, arrivals }
}

const secret = (): proto.IMessage => ({ messageContextInfo: { messageSecret: randomBytes(32) } })
const button = { name: 'quick_reply', buttonParamsJson: '{"display_text":"Yes","id":"y"}' }
const key = { remoteJid: '100000000000002@lid', fromMe: false, id: 'ABC' }
const MESSAGES: Record<string, proto.IMessage> = {
  text: { extendedTextMessage: { text: 'a text' }, ...secret() },
  'a long text without a secret': { conversation: 'ä'.repeat(40_000) },
  buttons: {
    interactiveMessage: { body: { text: 'Which?' }, nativeFlowMessage: { buttons: [button] } },
    ...secret(),
  },
  'a payment key': {
    interactiveMessage: { nativeFlowMessage: { buttons: [{ name: 'payment_info', buttonParamsJson: '{}' }] } },
    ...secret(),
  },
  list: {
    listMessage: {
      description: 'Which?',
      buttonText: 'Open',
      listType: 1,
      sections: [{ title: '', rows: [{ title: 'One', rowId: '1' }] }],
    },
    ...secret(),
  },
  poll: {
    pollCreationMessageV3: { name: 'Which?', options: [{ optionName: 'a' }], selectableOptionsCount: 1 },
    ...secret(),
  },
  reaction: { reactionMessage: { key, text: '👍' } },
  contact: { contactMessage: { displayName: 'Eve', vcard: 'BEGIN:VCARD\nEND:VCARD' }, ...secret() },
  place: { locationMessage: { degreesLatitude: 1, degreesLongitude: 2 }, ...secret() },
  picture: { imageMessage: { caption: 'a picture' }, ...secret() },
  film: { videoMessage: {}, ...secret() },
  'a moving picture': { videoMessage: { gifPlayback: true }, ...secret() },
  sound: { audioMessage: {}, ...secret() },
  'a voice message': { audioMessage: { ptt: true }, ...secret() },
  file: { documentMessage: { fileName: 'a.pdf' }, ...secret() },
  sticker: { stickerMessage: {}, ...secret() },
}

/** The library leaves their kind out, and the server delivers them to nobody then. */
const WITH_KIND: Record<string, proto.IMessage> = {
  image: { viewOnceMessageV2: { message: { imageMessage: { viewOnce: true } } }, ...secret() },
  ptt: { viewOnceMessageV2Extension: { message: { audioMessage: { ptt: true, viewOnce: true } } }, ...secret() },
  ptv: { ptvMessage: {}, ...secret() },
}

test('files to be seen once and round videos say their kind, and arrive', async () => {
  const with_ = await talk()
  for (const [mediatype, message] of Object.entries(WITH_KIND)) {
    const ours = await direct(with_, message)
    assert.match(ours.stanza, new RegExp(`<enc [^>]*mediatype='${mediatype}'`))
    for (const phone of with_.phones) assert.equal((await shown(phone, ours.id)).arrivals, 1, mediatype)
  }
})

test('the stanza of each kind of message is the one that the library sends, and both phones show the same', async () => {
  const with_ = await talk()
  for (const [what, message] of Object.entries(MESSAGES)) {
    const library = await byLibrary(with_, message)
    const ours = await direct(with_, message)
    assert.ok(ours.isDone, what)
    assert.equal(shape(ours.stanza), shape(library.stanza), what)
    assert.match(ours.stanza, /type='msg'/)
    if (['text', 'picture'].includes(what)) assert.match(ours.stanza, /<reporting_token /)
    // It is about a message that there is not.
    if (message.reactionMessage) continue
    for (const phone of with_.phones) {
      const seen = await shown(phone, ours.id)
      assert.equal(seen.arrivals, 1, what)
      assert.deepEqual(seen, await shown(phone, library.id), what)
    }
  }
})

test('until the other side has answered, each message tells the prekeys and who signed this device', async () => {
  const with_ = await talk({ isAnswered: false })
  const library = await byLibrary(with_, { conversation: 'by the library' })
  const ours = await direct(with_, { conversation: 'by us' })
  assert.match(ours.stanza, /type='pkmsg'[\s\S]*<device-identity/)
  assert.equal(shape(ours.stanza), shape(library.stanza))
  await fixture.seen(with_.phones[1], 'by us')
})

test("the other side's privacy token stands in the stanza where the network asks for it", async () => {
  const with_ = await talk()
  const { client, to } = with_
  const nowSeconds = Math.floor(Date.now() / 1000)
  const entry = { token: Buffer.from('a token'), timestamp: String(nowSeconds), senderTimestamp: nowSeconds }
  client.credentials.values.set(`tctoken.${to}`, entry)
  for (const isAsked of [true, false]) {
    client.socket.serverProps.privacyTokenOn1to1 = isAsked
    const library = await byLibrary(with_, { conversation: 'by the library' })
    const ours = await direct(with_, { conversation: 'by us' })
    assert.equal(ours.stanza.includes(Buffer.from('a token').toString('hex')), isAsked)
    assert.equal(shape(ours.stanza), shape(library.stanza))
  }
})

test('the privacy token of the account is issued when it was not, or weeks ago', async () => {
  const with_ = await talk()
  const { client, to } = with_
  const nowSeconds = Math.floor(Date.now() / 1000)
  const issuedAt = async (entry: object | undefined) => {
    if (entry === undefined) client.credentials.values.delete(`tctoken.${to}`)
    else client.credentials.values.set(`tctoken.${to}`, entry)
    const { isDone, issued } = await direct(with_, { conversation: 'a text' })
    assert.ok(isDone)
    return issued
  }
  assert.deepEqual(await issuedAt({ token: Buffer.alloc(0), senderTimestamp: nowSeconds }), [])
  assert.deepEqual(await issuedAt(undefined), [to])
  assert.deepEqual(await issuedAt({ token: Buffer.alloc(0), senderTimestamp: nowSeconds - 8 * 86_400 }), [to])
})

test('where there is more to do nothing is sent and no session steps', async () => {
  const with_ = await talk()
  const { client, to, number, phones, devices } = with_
  const { values, creds } = client.credentials
  const ownLid = `${creds.me?.lid?.split(':')[0]}@lid`
  const user = to.split('@')[0] ?? ''
  const nowSeconds = Math.floor(Date.now() / 1000)
  const changes: Record<string, () => void> = {
    'devices unknown': () => devices.delete(user),
    'own devices unknown': () => devices.delete(ownLid.split('@')[0] ?? ''),
    'no devices': () => devices.set(user, []),
    'a hosted device': () => devices.set(user, [{ user, server: 'hosted.lid', device: 99 }]),
    'a device twice': () =>
      devices.set(user, [
        { user, server: 'lid', device: 0 },
        { user, server: 'lid' },
      ]),
    'no session with one device': () =>
      devices.set(user, [
        { user, server: 'lid', device: 0 },
        { user, server: 'lid', device: 7 },
      ]),
    'a broken session': () =>
      values.set(`session.${user}_1.0`, {
        version: 'v1',
        _sessions: { a: { registrationId: 1, indexInfo: { closed: -1 } } },
      }),
    'a token that has expired': () =>
      values.set(`tctoken.${to}`, {
        token: Buffer.from('old'),
        timestamp: String(nowSeconds - 60 * 86_400),
        senderTimestamp: nowSeconds,
      }),
  }
  const kept: [Map<string, unknown>, Map<string, unknown>] = [new Map(values), new Map(devices)]
  const before = (await fixture.call<unknown[]>('GET', `/phones/${phones[1]}/messages`)).length
  const refuses = async (what: string, toward = to, message: proto.IMessage = { conversation: what }) => {
    const sessions = () => [...values].filter(([name]) => name.startsWith('session.'))
    const former = sessions()
    assert.equal((await direct(with_, message, toward)).isDone, false, what)
    for (const [index, [, record]] of sessions().entries()) assert.equal(record, former[index]?.[1], what)
  }
  for (const [what, change] of Object.entries(changes)) {
    change()
    await refuses(what)
    for (const [target, copy] of [
      [values, kept[0]],
      [devices, kept[1]],
    ] as const) {
      target.clear()
      for (const [name, value] of copy) target.set(name, value)
    }
  }
  await refuses('a deletion', to, { protocolMessage: { key, type: proto.Message.ProtocolMessage.Type.REVOKE } })
  await refuses('by number', number)
  await refuses('to oneself', ownLid)
  await refuses('to a group', '123-456@g.us')
  await refuses('to one device', `${user}:3@lid`)
  assert.ok((await direct(with_, { conversation: 'now it is sent' })).isDone)
  await fixture.seen(phones[1], 'now it is sent')
  assert.equal((await fixture.call<unknown[]>('GET', `/phones/${phones[1]}/messages`)).length, before + 1)
})

interface Strangers {
  readonly client: BareClient
  readonly sent: string[]
  readonly devices: Map<string, unknown>
  /** Two people to whom nothing was sent yet. */
  readonly people: readonly { readonly phone: string; readonly number: string; readonly to: string }[]
}

async function strangers(): Promise<Strangers> {
  const [sent, devices] = [[] as string[], new Map<string, unknown>()]
  const { client } = await fixture.linked('Ana', {
    logger: spy((xml) => void sent.push(xml)),
    userDevicesCache: cacheOver(devices),
  })
  const people = []
  for (const name of ['Bruno', 'Carla']) {
    const phone = await fixture.makePhone(name)
    const number = `${phone}@s.whatsapp.net`
    const lid = await client.socket.signalRepository.lidMapping.getLIDForPN(number)
    people.push({ phone, number, to: `${lid?.split('@')[0]}@lid` })
  }
  return { client, sent, devices, people }
}

/** Sends the first message to somebody; whether it did, the stanza as text, the keys that were read, and those that follow later. */
async function first({ client, devices }: Strangers, to: string, message: proto.IMessage) {
  let stanza = ''
  const [learnt, later] = [[] as KeyName[], [] as unknown[]]
  const { socket, credentials } = client
  const keys = {
    ...credentials.keys,
    learn: async (names: readonly KeyName[]) => void learnt.push(...names),
    setLater(data: SignalDataSet) {
      credentials.keys.set(data)
      if (!('device-list' in data)) later.push(data)
    },
  }
  const whole = messageTo(to, message)
  await introduce(to, { socket, credentials: credentials.creds, keys, cache: cacheOver(devices) })
  const isDone = await relayDirectly(whole, {
    socket: {
      serverProps: socket.serverProps,
      sendRawMessage: async (bytes) => {
        stanza = binaryNodeToString((await decodeBinaryNode(Buffer.from(bytes))) as BinaryNode)
        await socket.sendRawMessage(bytes)
      },
    },
    credentials: credentials.creds,
    keys,
    inSlot: signalTurns({ hold() {}, release: () => [] }, () => {}),
    devices: (user) => devices.get(user) as never,
    issueToken: tokenIssue({ socket, keys }),
  })
  return { isDone, id: whole.id, stanza, learnt, later }
}

test('the first message to a person is sent as the library sends it, and the privacy token is issued behind it', async () => {
  const all = await strangers()
  const { client, sent, people } = all
  const [bruno, carla] = people
  assert.ok(bruno && carla)
  const message = MESSAGES.text ?? {}
  const library = await byLibrary({ client, to: bruno.to, sent }, message)
  const ours = await first(all, carla.to, message)
  const neutral = (text: string) => {
    const named = people.reduce((rest, { to, number }) => rest.replaceAll(to, 'them').replaceAll(number, 'them'), text)
    return shape(named)
  }
  assert.ok(ours.isDone)
  assert.match(ours.stanza, /type='pkmsg'[\s\S]*<device-identity/)
  assert.equal(neutral(ours.stanza), neutral(library.stanza))
  for (const [phone, id] of [
    [bruno.phone, library.id],
    [carla.phone, ours.id],
  ] as const)
    assert.equal((await shown(phone, id)).text, 'a text')

  await until('the token is issued', () => ours.later.length > 0)
  const issued = sent.filter((xml) => xml.includes('trusted_contact'))
  const ofIssue = (xml = '') => neutral(xml).replace(/ (id|t)='[^']*'/g, '')
  assert.equal(issued.length, 2)
  assert.equal(ofIssue(issued[1]), ofIssue(issued[0]))
  assert.match(JSON.stringify(ours.later), /"senderTimestamp":\d{10}/)
  const user = carla.to.split('@')[0]
  assert.ok(ours.learnt.some(({ kind, id }) => kind === 'session' && id === `${user}_1.0`))

  // The list of devices was forgotten: all else is settled, so the token is not issued again.
  all.devices.clear()
  const next = await first(all, carla.to, message)
  assert.ok(next.isDone)
  assert.equal((await shown(carla.phone, next.id)).arrivals, 1)
  assert.deepEqual(next.later, [])
  assert.equal(sent.filter((xml) => xml.includes('trusted_contact')).length, 2)
})

test('the account introduces itself to other people by LID only', async () => {
  const { client, people } = await strangers()
  const [{ to = '', number = '' } = {}] = people
  const { creds } = client.credentials
  const ownLid = `${creds.me?.lid?.split(':')[0]}@lid`
  assert.ok(isOtherPerson(to, creds))
  for (const other of [number, ownLid, `${to.split('@')[0]}:3@lid`, '123-456@g.us', 'status@broadcast'])
    assert.equal(isOtherPerson(other, creds), false, other)
})

interface GroupTalk {
  readonly client: BareClient
  /** The group. */
  readonly to: string
  readonly members: readonly string[]
  readonly sent: string[]
}

async function groupTalk(addressing: 'lid' | 'pn'): Promise<GroupTalk> {
  const sent: string[] = []
  const { phone, client } = await fixture.linked('Ana', { logger: spy((xml) => void sent.push(xml)) })
  const members = [await fixture.makePhone('Bruno'), await fixture.makePhone('Carla')]
  const [owner, other] = members
  const made = { owner, subject: 'Friends', members: [phone, other], addressing }
  const { jid } = await fixture.call<{ jid: string }>('POST', '/groups', made)
  return { client, to: jid, members, sent }
}

/** The phone of the account and, as the library has it, this device. */
const OWN_DEVICES = 2

function withLearn(keys: BareClient['credentials']['keys']): GroupRelayOptions['keys'] {
  return { ...keys, learn: async () => {}, setLater: (data) => void keys.set(data) }
}

async function toGroup(
  { client: { socket, credentials }, to }: GroupTalk,
  message: proto.IMessage,
  changed: Partial<GroupRelayOptions & GroupRelayOptions['socket']> = {},
) {
  let stanza = ''
  const whole = messageTo(to, message)
  await relayToGroup(whole, {
    socket: {
      ...socket,
      ...changed,
      sendRawMessage: async (bytes) => {
        stanza = binaryNodeToString((await decodeBinaryNode(Buffer.from(bytes))) as BinaryNode)
        await socket.sendRawMessage(bytes)
      },
    },
    credentials: credentials.creds,
    keys: withLearn(credentials.keys),
    cache: cacheOver(new Map()),
    inSlot: signalTurns({ hold() {}, release: () => [] }, () => {}),
    group: (jid) => socket.groupMetadata(jid),
    ...changed,
  })
  return { id: whole.id, stanza }
}

for (const addressing of ['lid', 'pn'] as const)
  test(`the stanza of each kind of message to a group of ${addressing.toUpperCase()}s is the one that the library sends`, async () => {
    const with_ = await groupTalk(addressing)
    const forget = () => with_.client.credentials.values.delete(`sender-key-memory.${with_.to}`)
    for (const [what, message] of Object.entries(MESSAGES)) {
      // Texts give everybody the sender key again; the others go to those who have it.
      if (what.includes('text')) forget()
      const library = await byLibrary(with_, message)
      if (what.includes('text')) forget()
      const ours = await toGroup(with_, message)
      assert.equal(shape(ours.stanza), shape(library.stanza), what)
      assert.equal(ours.stanza.includes('<participants'), what.includes('text'), what)
      if (message.reactionMessage) continue
      for (const phone of with_.members) {
        const seen = await shown(phone, ours.id)
        assert.equal(seen.arrivals, 1, what)
        assert.deepEqual(seen, await shown(phone, library.id), what)
      }
    }
  })

test('a group asked about in pieces, whose messages vanish, gets the stanza that the library sends', async () => {
  const with_ = await groupTalk('lid')
  const [owner] = with_.members
  await fixture.call('PATCH', `/groups/${with_.to}`, { by: owner, ephemeralSeconds: 86_400 })
  const ours = await toGroup(with_, { conversation: 'by us' }, { peopleAtOnce: 1 })
  with_.client.credentials.values.delete(`sender-key-memory.${with_.to}`)
  const library = await byLibrary(with_, { conversation: 'by the library' })
  assert.match(ours.stanza, /expiration='86400'/)
  assert.equal(shape(ours.stanza), shape(library.stanza))
  for (const phone of with_.members) await fixture.seen(phone, 'by us')
})

test('a member for whom nothing can be encrypted is left out; when nobody is left nothing is sent', async () => {
  const with_ = await groupTalk('lid')
  const { socket, credentials } = with_.client
  const memory = () => credentials.values.get(`sender-key-memory.${with_.to}`) as Record<string, boolean> | undefined
  const fails = async (): Promise<never> => {
    throw new Error('All encryptions failed')
  }
  // The library encrypts for devices without a session that can.
  const keys: GroupRelayOptions['keys'] = {
    ...withLearn(credentials.keys),
    get: (kind, ids) => (kind === 'session' ? {} : credentials.keys.get(kind, ids)),
  }
  await assert.rejects(toGroup(with_, { conversation: 'to nobody' }, { createParticipantNodes: fails, keys }))
  assert.equal(memory(), undefined)
  const own = credentials.creds.me?.lid?.split(':')[0] ?? ''
  let failures = 0
  const firstFails: typeof socket.createParticipantNodes = (...given) => {
    if (given[0][0]?.startsWith(own) || failures === 1) return socket.createParticipantNodes(...given)
    failures += 1
    return fails()
  }
  await toGroup(with_, { conversation: 'to one' }, { createParticipantNodes: firstFails, peopleAtOnce: 1, keys })
  assert.equal(Object.keys(memory() ?? {}).length, with_.members.length + OWN_DEVICES)
  const saw = await until('one of them shows it', async () => {
    const all = await Promise.all(
      with_.members.map((phone) => fixture.call<unknown[]>('GET', `/phones/${phone}/messages?text=to%20one`)),
    )
    return all.filter(({ length }) => length > 0).length || undefined
  })
  assert.equal(saw, 1)
})

test('distributes a sender key to all with the next message if a retry was requested while one was composed', async () => {
  const with_ = await groupTalk('lid')
  const { socket, credentials } = with_.client
  await toGroup(with_, { conversation: 'first' })
  const newcomer = await fixture.makePhone('Dora')
  await fixture.call('PATCH', `/groups/${with_.to}`, { by: with_.members[0], add: [newcomer] })
  await toGroup(
    with_,
    { conversation: 'second' },
    {
      assertSessions: async (...given) => {
        credentials.keys.set({ 'sender-key-memory': { [with_.to]: null } })
        return await socket.assertSessions(...given)
      },
    },
  )
  const { stanza } = await toGroup(with_, { conversation: 'third' })
  assert.equal(stanza.match(/<to /g)?.length, with_.members.length + OWN_DEVICES)
  for (const phone of [...with_.members, newcomer]) await fixture.seen(phone, 'third')
})
