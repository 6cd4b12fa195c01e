import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startProviders } from '../../sandbox/providers/index.js'
import { eventKinds } from '../../schemas/event-kinds.js'
import type { EventKind } from '../../schemas/generated.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { connectDatabase } from '../support/statements.js'

type Json = Record<string, unknown>

const [ANA, BEN, KIM] = ['15550830001', '15550830002', '15550830003']
const BEN_PN = `${BEN}@s.whatsapp.net`
const KIM_PN = `${KIM}@s.whatsapp.net`

/** Names of a person in an event: the address for callers, the number's JID (where there is a field for it) and the LID. */
type Names = readonly unknown[]

/** Reads the person who caused an event, for each kind; null: events of this kind name nobody. */
const NAMES: Readonly<Record<EventKind, ((body: Json) => Names) | null>> = {
  connection: null,
  limits: null,
  sender: null,
  labels: null,
  newsletter_messages: null,
  history: ({ messages }) => {
    const [message] = messages as Json[]
    return [message?.sender, message?.sender_pn, message?.sender_lid]
  },
  messages: ({ message }) => senderNames(message, 'sender'),
  status: ({ message }) => senderNames(message, 'sender'),
  messages_update: ({ event }) => senderNames(event),
  call: ({ event }) => senderNames(event, 'From'),
  presence: ({ event }) => senderNames(event),
  contacts: ({ event }) => pairNames(event, 'JID', 'LID'),
  groups: ({ event }) => {
    const { Join, Members } = event as { Join: string[]; Members: Json[] }
    return [Join[0], Members[0]?.pn, Members[0]?.lid]
  },
  chats: ({ chat }) => pairNames(chat, 'wa_chatid', 'wa_chatlid'),
  chat_labels: ({ chat }) => pairNames(chat, 'wa_chatid', 'wa_chatlid'),
  leads: ({ chat }) => pairNames(chat, 'wa_chatid', 'wa_chatlid'),
  blocks: ({ event }) => pairNames(event, 'JID', 'LID'),
  suppressions: ({ event }) => pairNames(event, 'JID', 'LID'),
  agents: ({ event }) => pairNames(event, 'Chat', 'chat_lid'),
}

function senderNames(event: unknown, field = 'Sender'): Names {
  const { [field]: jid, sender_pn, sender_lid } = event as Json
  return [jid, sender_pn, sender_lid]
}

function pairNames(event: unknown, jid: string, lid: string): Names {
  const one = event as Json
  return [one[jid], one[jid], one[lid]]
}

describe('a person whose number is known', () => {
  const {
    world,
    account: ana,
    receiver,
    cleanup,
  } = gatewaySuite({
    phones: { [BEN]: { name: 'Ben', addressing: 'lid' }, [KIM]: { name: 'Kim', addressing: 'lid' } },
    account: [ANA, 'Ana'],
    events: eventKinds.filter((kind) => NAMES[kind] !== null),
  })

  /** The network tells the account something. */
  const told = (stanza: Json) => world.network('POST', '/faults/stanza', { phone: ANA, stanza })
  const findLid = async (number: string) => String((await world.network('GET', `/phones/${number}`)).lid)
  const came = (kind: EventKind, isSo: (names: Names) => boolean) =>
    eventually(
      () => receiver.of(kind).map(({ body }) => NAMES[kind]?.(body) ?? []),
      (all) => all.some(isSo),
    ).catch(() => assert.fail(`${kind}: ${JSON.stringify(receiver.of(kind).map(({ body }) => body)).slice(0, 3000)}`))

  it('is named by number and LID in every kind of event, though the network names the LID alone', async () => {
    const [ben, kim] = [await findLid(BEN), await findLid(KIM)]
    const providers = await startProviders()
    cleanup.after(() => providers.close())
    const settings = { name: 'Bot', provider: 'custom', model: 'm', apikey: '', baseUrl: providers.baseUrl('custom') }
    const agent = await ana.call<{ id: string }>('POST', '/agent/edit', { agent: settings })
    const trigger = { type: 'agent', agent_id: agent.body.id, wordsToStart: 'the bot', responseDelay_seconds: 0 }
    assert.equal((await ana.call('POST', '/trigger/edit', { trigger })).status, 201)
    await ana.done('/instance/updatechatbotsettings', { chatbot_enabled: true })
    providers.fail({ kind: 'status', status: 401, body: { error: { message: 'Wrong key.' } } })
    const { jid: group } = await world.network<{ jid: string }>('POST', '/groups', {
      owner: BEN,
      subject: 'Us',
      members: [ANA, KIM],
    })

    // From here on both numbers are known.
    for (const from of [BEN, KIM]) await world.write(from, ANA, 'hello')
    await ana.chat(KIM)
    const database = await connectDatabase(cleanup, world.gateway.databaseUrl)
    await database.query('INSERT INTO campaign_contact VALUES ($1, $2, now())', [ana.id, BEN_PN])
    const { messageid } = await ana.text(group, 'to all')

    await world.write(KIM, ANA, 'the bot')
    await world.write(BEN, ANA, 'STOP')
    // The group has read it when all have: the event names the last one.
    for (const participant of [ben, kim])
      await told({ tag: 'receipt', attrs: { id: String(messageid), from: group, participant, type: 'read', t: '1' } })
    await told({ tag: 'chatstate', attrs: { from: ben }, content: [{ tag: 'composing', attrs: {} }] })
    const offer = { tag: 'offer', attrs: { 'call-id': 'CALL1', 'call-creator': ben } }
    await told({ tag: 'call', attrs: { id: 'c1', from: ben, t: '1' }, content: [offer] })
    const block = { tag: 'item', attrs: { action: 'block', jid: ben } }
    await told({
      tag: 'notification',
      attrs: { id: 'n1', from: `${ANA}@s.whatsapp.net`, type: 'account_sync', t: '1' },
      content: [{ tag: 'blocklist', attrs: {}, content: [block] }],
    })
    await told({
      tag: 'notification',
      attrs: { id: 'n2', from: group, type: 'w:gp2', participant: ben, t: '1' },
      content: [{ tag: 'add', attrs: {}, content: [{ tag: 'participant', attrs: { jid: kim } }] }],
    })
    const onPhone = (what: string, how: object) => world.network('POST', `/phones/${ANA}/${what}`, how)
    await onPhone('labels', { id: '1', name: 'Friends', color: 2 })
    await onPhone('chat-labels', { chat: ben, label: '1' })
    await onPhone('contacts', { number: BEN, name: 'Benjamin' })
    await onPhone('chats', { chat: ben, pinned: true })
    await ana.call('POST', '/chat/editLead', { id: ben, lead_tags: ['new'] })
    await world.network('PUT', `/phones/${ANA}/history`, {
      chats: [{ id: ben, name: 'Ben', messages: [{ text: 'long ago', timestamp: 1_700_000_000 }] }],
    })
    await onPhone('history', {})
    await world.network('POST', `/phones/${BEN}/status`, { to: [ANA], text: 'a post' })

    for (const kind of eventKinds) {
      if (NAMES[kind] === null) continue
      const [pn, lid] = ['groups', 'messages_update', 'agents'].includes(kind) ? [KIM_PN, kim] : [BEN_PN, ben]
      await came(kind, (names) => JSON.stringify(names) === JSON.stringify([pn, pn, lid]))
    }
  })
})
