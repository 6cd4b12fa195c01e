/** Reads the session of another Baileys program from the files of its folder (`useMultiFileAuthState`), and checks each of them. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BufferJSON, proto } from '@whiskeysockets/baileys'
import { SenderKeyRecord } from '@whiskeysockets/baileys/lib/Signal/Group/sender-key-record.js'
import * as libsignal from 'libsignal'
import type { Jid } from '../../../schemas/ids.js'
import { readUser } from '../../../schemas/jid.js'
import type { ForeignSession } from '../../../schemas/ports/transfer.js'
import { invalidSession } from '../../../schemas/session.js'
import { encodeCredentials } from './credentials.js'
import { checkedCredentials, parseKeyPair, readBytes, readFields } from './foreign-credentials.js'
import { encodeKey } from './key-codec.js'

// Bound: 1,048,576, a file of a session.

interface ForeignKind {
  readonly name: string
  readonly countMax: number
  /** Returns the id of a key from the name of its file. */
  readonly parseId: (text: string) => string
  /** Returns the value as the library takes it. @throws Error when it is none */
  readonly read: (value: unknown, part: string) => unknown
}

const MANY = 50_000
const IGNORED_SHOWN = 20
const FILES_PER_TURN = 50
const ID = /^[\w@.:+/=-]{1,200}$/
const same = (text: string): string => text

/** Kinds of keys that are taken over. A longer name comes before one that it begins with. */
const KINDS: readonly ForeignKind[] = [
  { name: 'pre-key', countMax: 10_000, parseId: same, read: parseKeyPair },
  { name: 'session', countMax: MANY, parseId: same, read: readSession },
  { name: 'sender-key-memory', countMax: MANY, parseId: same, read: readMemory },
  // The folder has `-` for each `:` of `<group>::<user>::<device>`.
  {
    name: 'sender-key',
    countMax: MANY,
    parseId: (text) => senderKeyId(text),
    read: readSenderKey,
  },
  // The folder has `__` for each `/` of the base64.
  { name: 'app-state-sync-key', countMax: 1_000, parseId: (text) => text.replaceAll('__', '/'), read: readSyncKey },
  { name: 'identity-key', countMax: MANY, parseId: same, read: (value, part) => readBytes(value, part) },
  { name: 'lid-mapping', countMax: 2 * MANY, parseId: same, read: readDigits },
  { name: 'device-list', countMax: MANY, parseId: same, read: readDevices },
  { name: 'tctoken', countMax: MANY, parseId: same, read: parseToken },
]

/** Returns `<group>::<user>::<device>` of `<group>--<user>--<device>`, and any other text as it is. */
function senderKeyId(text: string): string {
  // Bound: 1,000, the name of a key.
  const parts = text.split('--')
  const [user, device] = [parts.at(-2), parts.at(-1) ?? '']
  if (parts.length < 3 || !user || !/^\d+$/.test(device)) return text
  return `${parts.slice(0, -2).join('--')}::${user}::${device}`
}

/** Left out on purpose: the settings of the account are then read from the network, and stored here. */
const SETTINGS = 'app-state-sync-version-'

/** @throws GatewayError INVALID_SESSION that names the file and the field */
export async function readForeignSession(files: ReadonlyMap<string, string>): Promise<ForeignSession> {
  const text = files.get('creds.json')
  if (text === undefined) throw invalidSession('creds.json', 'is missing')
  const credentials = checkedCredentials(parsed(text, 'creds.json'))
  const { keys, ignored } = await readKeys(files)
  if (!keys.some(({ kind }) => kind === 'pre-key')) throw invalidSession('pre-key-*.json', 'is missing')
  const { me, platform = '' } = credentials
  return {
    owner: {
      jid: `${readUser(me?.id ?? '')}@s.whatsapp.net` as Jid,
      lid: me?.lid === undefined ? null : (`${readUser(me.lid)}@lid` as Jid),
    },
    profileName: me?.name ?? '',
    platform,
    credentials: encodeCredentials(credentials),
    keys: keys.map(({ kind, id, value }) => ({ kind, id, value: encodeKey(value) })),
    mappings: keys.flatMap(({ kind, id, value }) =>
      kind === 'lid-mapping' && /^\d+$/.test(id)
        ? [{ lid: `${String(value)}@lid` as Jid, pn: `${id}@s.whatsapp.net` as Jid }]
        : [],
    ),
    ignored: ignored.slice(0, IGNORED_SHOWN),
    ignoredCount: ignored.length,
  }
}

interface ForeignKey {
  readonly kind: string
  readonly id: string
  readonly value: unknown
}

async function readKeys(files: ReadonlyMap<string, string>): Promise<{ keys: ForeignKey[]; ignored: string[] }> {
  const keys: ForeignKey[] = []
  const ignored: string[] = []
  const counts = new Map<string, number>()
  let read = 0
  for (const [name, text] of files) {
    read += 1
    if (read % FILES_PER_TURN === 0) await nextTurn()
    if (name === 'creds.json' || name.startsWith(SETTINGS)) continue
    const kind = KINDS.find((one) => name.startsWith(`${one.name}-`))
    if (kind === undefined) {
      ignored.push(name)
      continue
    }
    const count = (counts.get(kind.name) ?? 0) + 1
    if (count > kind.countMax) throw invalidSession(`${kind.name}-*.json`, `must be at most ${kind.countMax} files`)
    counts.set(kind.name, count)
    const id = kind.parseId(name.slice(kind.name.length + 1, -'.json'.length))
    if (!ID.test(id)) throw invalidSession(name.slice(0, 200), 'must be the name of a key')
    keys.push({ kind: kind.name, id, value: checkedValue(kind, name, text) })
  }
  return { keys, ignored }
}

function checkedValue(kind: ForeignKind, name: string, text: string): unknown {
  const value = parsed(text, name)
  try {
    return kind.read(value, name)
  } catch (error) {
    if ((error as { code?: string }).code === 'INVALID_SESSION') throw error
    throw invalidSession(name, `must hold a ${kind.name}`)
  }
}

/** Some programs keep the JSON text itself as a JSON text. */
function parsed(text: string, name: string): unknown {
  let value: unknown = text
  try {
    for (let times = 0; times < 3 && typeof value === 'string'; times += 1)
      // Bound: 1,048,576, 20,000 values, a file of a session; counted before.
      value = times > 0 && !/^[[{"]/.test(value) ? value : JSON.parse(value, BufferJSON.reviver)
  } catch {
    throw invalidSession(name, 'must be JSON')
  }
  return value
}

/** Reads the record as libsignal does at each use, and writes it again, so that nothing else of it is stored. */
function readSession(value: unknown, part: string): unknown {
  const { SessionRecord } = libsignal as unknown as {
    SessionRecord: { deserialize(data: unknown): { serialize(): unknown } }
  }
  return SessionRecord.deserialize(readFields(value, part)).serialize()
}

function readSenderKey(value: unknown, part: string): Buffer {
  const record = SenderKeyRecord.deserialize(readBytes(value, part))
  return Buffer.from(JSON.stringify(record.serialize()))
}

function readMemory(value: unknown, part: string): unknown {
  return Object.fromEntries(Object.entries(readFields(value, part)).map(([jid, has]) => [jid, has === true]))
}

function readSyncKey(value: unknown, part: string): unknown {
  const key = proto.Message.AppStateSyncKeyData.fromObject(readFields(value, part))
  readBytes(key.keyData, `${part}.keyData`)
  return key
}

function readDigits(value: unknown): string {
  if (typeof value === 'string' && /^\d{5,20}$/.test(value)) return value
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return String(value)
  throw new Error('must be a number')
}

function readDevices(value: unknown): string[] {
  if (!Array.isArray(value) || value.length > 1_000) throw new Error('must be a list')
  return value.map((device: unknown) => {
    if (typeof device === 'string' && device.length <= 100) return device
    throw new Error('must be a device')
  })
}

function parseToken(value: unknown, part: string): unknown {
  const { token, timestamp, senderTimestamp } = readFields(value, part)
  // An entry may only say when a token was sent.
  const isNone = token === undefined || token === null || (token instanceof Uint8Array && token.length === 0)
  return {
    token: isNone ? Buffer.alloc(0) : readBytes(token, `${part}.token`),
    ...(timestamp === undefined ? {} : { timestamp: String(timestamp).slice(0, 30) }),
    ...(Number.isSafeInteger(senderTimestamp) ? { senderTimestamp } : {}),
  }
}
