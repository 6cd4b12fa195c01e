/**
 * The records of a message, on tables like those of the gateway, for the floor (`floor.ts`): message, chat, events, keys, status and delivery as parts of
 * one statement. Left out: fences, chats that are not known, numbers of events in the database, encryption at rest, limits, webhooks that choose.
 */
import { randomUUID } from 'node:crypto'
import { BufferJSON } from '@whiskeysockets/baileys'
import type pg from 'pg'
import { type Cells, givenRows } from '../../runtime/store/given-rows.js'

const INSTANCE = 'bench'
const WEBHOOK = '00000000-0000-4000-8000-000000000001'
const LIKE = ['message', 'chat', 'chat_activity', 'event', 'delivery', 'signal_key']

type Columns = Parameters<typeof givenRows>[0]['columns']

interface Part {
  readonly columns: Columns
  formatText(source: string): string
}

/** Parts of a statement. A part without rows is left out. */
const parts = {
  keys: {
    columns: [
      ['kind', 'text'],
      ['id', 'text'],
      ['data', 'bytea'],
    ],
    formatText: (source) => `
      INSERT INTO floor_signal_key (instance_id, kind, id, data) SELECT '${INSTANCE}', u.* FROM ${source}
      ON CONFLICT (instance_id, kind, id) DO UPDATE SET data = EXCLUDED.data`,
  },
  messages: {
    columns: [
      ['id', 'text'],
      ['position', 'bigint'],
      ['chat', 'bigint'],
      ['messageid', 'text'],
      ['from_me', 'bool'],
      ['at', 'bigint'],
      ['sender', 'text'],
      ['status', 'text'],
      ['body', 'text'],
      ['content', 'text'],
      ['proto', 'bytea'],
      ['request', 'text'],
    ],
    formatText: (source) => `
      INSERT INTO floor_message (instance_id, id, position, chat_id, "messageid", "fromMe", "isGroup", "messageType", "type", "messageTimestamp",
        "sender", "sender_pn", "source", "status", "text", "content", "wasSentByApi", "sendFunction", proto, queued_request)
      OVERRIDING SYSTEM VALUE
      SELECT '${INSTANCE}', u.id, u.position, u.chat, u.messageid, u.from_me, false, 'text', 'text', u.at,
        u.sender, u.sender, 'web', u.status, u.body, u.content, u.from_me, 'text', u.proto, u.request FROM ${source}
      ON CONFLICT DO NOTHING`,
  },
  chats: {
    columns: [
      ['id', 'bigint'],
      ['body', 'text'],
      ['at', 'bigint'],
      ['sender', 'text'],
    ],
    formatText: (source) => `
      UPDATE floor_chat AS c SET "wa_lastMessageTextVote" = u.body, "wa_lastMessageType" = 'text', "wa_lastMsgTimestamp" = u.at,
        "wa_lastMessageSender" = u.sender, updated = now() FROM ${source} WHERE c.instance_id = '${INSTANCE}' AND c.id = u.id`,
  },
  activity: {
    columns: [
      ['id', 'bigint'],
      ['at', 'bigint'],
    ],
    formatText: (source) => `
      UPDATE floor_chat_activity AS a SET "wa_lastMsgTimestamp" = u.at FROM ${source}
      WHERE a.instance_id = '${INSTANCE}' AND a.chat_id = u.id`,
  },
  events: {
    columns: [
      ['position', 'bigint'],
      ['id', 'text'],
      ['kind', 'text'],
      ['chat', 'bigint'],
      ['body', 'text'],
    ],
    formatText: (source) => `
      INSERT INTO floor_event (instance_id, sequence, position, event_id, kind, chat_id, flags, body) OVERRIDING SYSTEM VALUE
      SELECT '${INSTANCE}', u.position, u.position, u.id::uuid, u.kind, u.chat, 0, u.body FROM ${source}`,
  },
  deliveries: {
    columns: [
      ['lane', 'bigint'],
      ['position', 'bigint'],
    ],
    formatText: (source) => `
      INSERT INTO floor_delivery (webhook_id, lane, position, instance_id) SELECT '${WEBHOOK}', u.*, '${INSTANCE}' FROM ${source}`,
  },
  statuses: {
    columns: [
      ['messageid', 'text'],
      ['status', 'text'],
    ],
    formatText: (source) => `
      UPDATE floor_message AS m SET "status" = u.status, queued_request = NULL, updated = now() FROM ${source}
      WHERE m.instance_id = '${INSTANCE}' AND m."messageid" = u.messageid`,
  },
  taken: {
    columns: [
      ['lane', 'bigint'],
      ['position', 'bigint'],
    ],
    formatText: (source) => `
      DELETE FROM floor_delivery AS d USING ${source}
      WHERE d.webhook_id = '${WEBHOOK}' AND d.lane = u.lane AND d.position = u.position`,
  },
} as const satisfies Record<string, Part>

type PartName = keyof typeof parts
const names = Object.keys(parts) as PartName[]

export interface FloorMessage {
  readonly id: string
  /** JID of its chat. */
  readonly chat: string
  readonly text: string
  readonly isOwn: boolean
}

/** A delivery that waits for its receiver. */
export interface FloorDelivery {
  readonly lane: number
  readonly position: number
  readonly body: string
}

/** Collects rows, which the next statement writes. */
export interface FloorRecords {
  /** The message, its chat and its event; of a received one also the delivery, which is returned. */
  message(message: FloorMessage): Promise<FloorDelivery>
  keys(data: object): void
  /** The status of a message that was sent, and its event. */
  delivered(id: string): void
  taken(delivery: FloorDelivery): void
  /** Writes all that was added, and returns when it is committed. Calls that come while it writes share the next statement. */
  write(): Promise<void>
  /** Lets it wait for the next write, for at most as long as the gateway lets such writes wait. */
  writeSoon(): void
}

const WAITS_MS = 25

export async function openFloorRecords(database: pg.Client): Promise<FloorRecords> {
  for (const table of LIKE) await database.query(`CREATE TABLE floor_${table} (LIKE ${table} INCLUDING ALL)`)
  const chats = new Map<string, Promise<number>>()
  const statementNames = new Map<string, string>()
  const sent = new Map<string, number>()
  /** The last value of each. */
  const keyRows = new Map<string, Cells>()
  let last = 0
  let timer: NodeJS.Timeout | undefined
  let rows = noRows()
  let underWay: Promise<void> | undefined
  let following: Promise<void> | undefined

  async function send(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const taken = { ...rows, keys: [...keyRows.values()] }
    rows = noRows()
    keyRows.clear()
    const values: unknown[] = []
    const texts: string[] = []
    for (const name of names) {
      const cells = taken[name]
      if (cells.length === 0) continue
      const { columns, formatText }: Part = parts[name]
      const given = givenRows({ alias: 'u', columns, from: values.length + 1 })
      texts.push(`${name} AS (${formatText(cells.length === 1 ? given.one : given.many)})`)
      values.push(...given.valuesOfOneOrMany(cells))
    }
    if (texts.length === 0) return
    const text = `WITH ${texts.join(', ')} SELECT`
    const name = statementNames.get(text) ?? `floor ${statementNames.size}`
    statementNames.set(text, name)
    await database.query({ name, text, values })
  }

  /** Returns the number of a chat, which is made when it is new. */
  function findChat(jid: string): Promise<number> {
    const known = chats.get(jid) ?? makeChat(jid)
    chats.set(jid, known)
    return known
  }

  async function makeChat(jid: string): Promise<number> {
    const made = await database.query<{ id: string }>(
      `WITH made AS (INSERT INTO floor_chat (instance_id, "wa_chatid") VALUES ($1, $2) RETURNING instance_id, id)
        INSERT INTO floor_chat_activity (instance_id, chat_id) SELECT * FROM made RETURNING chat_id AS id`,
      [INSTANCE, jid],
    )
    return Number(made.rows[0]?.id)
  }

  function write(): Promise<void> {
    following ??= (async () => {
      // Others of this turn come too.
      await (underWay ?? new Promise<void>((resolve) => setImmediate(resolve)))
      underWay = send().finally(() => {
        underWay = undefined
      })
      following = undefined
      await underWay
    })()
    return following
  }

  return {
    async message({ id, chat: jid, text, isOwn }) {
      const chat = await findChat(jid)
      const [position, at, content] = [++last, Date.now(), JSON.stringify({ text })]
      const sender = isOwn ? OWN : jid
      const body = JSON.stringify({
        EventType: 'messages',
        sequence: position,
        message: record({ id, jid, text, isOwn, sender, at }),
      })
      const request = isOwn ? JSON.stringify({ path: '/send/text', number: jid, text }) : null
      const own = `r${position.toString(16).padStart(7, '0')}`
      const proto = Buffer.from(content)
      const status = isOwn ? 'pending' : 'delivered'
      rows.messages.push([own, position, chat, id, isOwn, at, sender, status, text, content, proto, request])
      rows.chats.push([chat, text, at, sender])
      rows.activity.push([chat, at])
      rows.events.push([position, randomUUID(), 'messages', chat, body])
      if (!isOwn) rows.deliveries.push([chat, position])
      else sent.set(id, chat)
      return { lane: chat, position, body }
    },
    keys(data) {
      for (const [kind, entries] of Object.entries(data))
        for (const [id, value] of Object.entries(entries ?? {}))
          keyRows.set(`${kind} ${id}`, [kind, id, Buffer.from(JSON.stringify(value, BufferJSON.replacer))])
    },
    delivered(id) {
      const chat = sent.get(id)
      if (!sent.delete(id)) return
      const position = ++last
      rows.statuses.push([id, 'delivered'])
      const event = {
        EventType: 'messages_update',
        sequence: position,
        state: 'Delivered',
        event: { MessageIDs: [id] },
      }
      rows.events.push([position, randomUUID(), 'messages_update', chat, JSON.stringify(event)])
    },
    taken: ({ lane, position }) => void rows.taken.push([lane, position]),
    write,
    writeSoon() {
      if (following === undefined) timer ??= setTimeout(() => void write(), WAITS_MS)
    },
  }
}

const OWN = '15550900013@s.whatsapp.net'

interface Recorded {
  readonly id: string
  readonly jid: string
  readonly text: string
  readonly isOwn: boolean
  readonly sender: string
  readonly at: number
}

/** As the specification has a message. */
function record({ id, jid, text, isOwn, sender, at }: Recorded): object {
  return {
    id: `${OWN}:${id}`,
    messageid: id,
    chatid: jid,
    chatlid: '',
    fromMe: isOwn,
    isGroup: false,
    messageType: 'text',
    mediaType: '',
    type: 'text',
    messageTimestamp: at,
    sender,
    sender_pn: sender,
    sender_lid: '',
    sender_username: '',
    senderName: '',
    source: 'web',
    status: isOwn ? 'pending' : 'delivered',
    text,
    content: { text },
    quoted: '',
    reaction: '',
    edited: '',
    vote: '',
    buttonOrListid: '',
    convertOptions: '',
    fileURL: '',
    track_source: '',
    track_id: '',
    wasSentByApi: isOwn,
    sendFunction: isOwn ? 'text' : '',
    owner: OWN,
    error: '',
  }
}

function noRows(): Record<PartName, Cells[]> {
  return { keys: [], messages: [], chats: [], activity: [], events: [], deliveries: [], statuses: [], taken: [] }
}
