/** Makes the bodies of Evolution API's events from an event of ours: none, one or several. */
import { isObject } from '../../../lib/is-object.js'
import { evolutionEventName, nameOfWire } from './event-names.js'
import { evolutionMessage, type MessageRecord } from './message.js'

// Bound: 1,048,576, an event of an instance.

type Json = Record<string, unknown>

/** An event in the form of Evolution API, without its envelope. */
export interface EvolutionEvent {
  /** As `messages.upsert`. */
  readonly event: string
  readonly data: unknown
  /** Further fields of the envelope. */
  readonly beside?: Json
}

/** Facts about the instance that its events carry. */
export interface EventPlace {
  readonly instanceId: string
  readonly name: string
  /** Base64 of the file of the message, where the receiver wants it. */
  readonly base64?: string
}

/** Envelope of the receiver, beside the event. */
export interface Receiver {
  readonly url: string
  readonly baseUrl: string
  /** Key of the instance; null if it is not known. */
  readonly apikey: string | null
  /** Events that it takes; empty: all. */
  readonly events: readonly string[]
}

function evolutionEvents(event: Json, place: EventPlace): readonly EvolutionEvent[] {
  switch (event.EventType) {
    case 'messages':
      return ofMessage(asObject(event.message), place)
    case 'messages_update':
      return ofUpdate(event, place)
    case 'connection':
      return ofConnection(event, place)
    case 'history':
      return ofHistory(event, place)
    case 'contacts':
      return ofContact(event, place)
    case 'chats':
      return ofChat(asObject(event.chat), place)
    case 'presence':
      return ofPresence(asObject(event.event))
    case 'groups':
      return ofGroup(event)
    case 'labels':
      return ofLabel(asObject(event.label), place)
    case 'chat_labels':
      return ofChatLabels(asObject(event.chat), place)
    case 'call':
      return ofCall(event)
    default:
      return []
  }
}

/** Returns the events that the receiver takes, in their envelopes. `path` follows the URL of a receiver that wants events in it. */
export function evolutionBodies(
  event: Json,
  place: EventPlace,
  { url, baseUrl, apikey, events }: Receiver,
): readonly { readonly path: string; readonly body: Json }[] {
  const owner = text(event.owner)
  const taken = new Set(events.map(evolutionEventName))
  return evolutionEvents(event, place)
    .filter((one) => taken.size === 0 || taken.has(nameOfWire(one.event)))
    .map(({ event: wire, data, beside }) => ({
      path: `/${wire.replaceAll('.', '-')}`,
      body: {
        event: wire,
        instance: place.name,
        data,
        ...beside,
        destination: url,
        date_time: new Date(Number(event.timestamp)).toISOString(),
        ...(owner === '' ? {} : { sender: `${owner}@s.whatsapp.net` }),
        server_url: baseUrl,
        apikey,
      },
    }))
}

function ofMessage(record: MessageRecord, place: EventPlace): readonly EvolutionEvent[] {
  const data = evolutionMessage(record, place)
  return [{ event: record.wasSentByApi === true ? 'send.message' : 'messages.upsert', data }]
}

const STATUSES: Readonly<Record<string, string>> = {
  Failed: 'ERROR',
  Sent: 'SERVER_ACK',
  Delivered: 'DELIVERY_ACK',
  Read: 'READ',
  Played: 'PLAYED',
}

function ofUpdate(event: Json, { instanceId }: EventPlace): readonly EvolutionEvent[] {
  const about = asObject(event.event)
  const ids = Array.isArray(about.MessageIDs) ? about.MessageIDs.map(String) : []
  const state = text(event.state)
  const remoteJid = text(about.Chat)
  const isGroup = about.IsGroup === true
  const participant = isGroup ? text(about.sender_pn) || text(about.Sender) : ''
  const key = (id: string, fromMe: boolean): Json => ({
    id,
    remoteJid,
    fromMe,
    ...(participant === '' ? {} : { participant }),
  })
  if (state === 'Edited')
    return ids.map((id) => ({
      event: 'messages.edited',
      data: {
        key: key(id, about.IsFromMe === true),
        type: 'MESSAGE_EDIT',
        editedMessage: { conversation: text(about.Text) },
        timestampMs: String(Number(about.Timestamp ?? 0) * 1_000),
      },
    }))
  if (state === 'Deleted')
    return ids.map((id) => ({
      event: 'messages.delete',
      data: { ...key(id, about.IsFromMe === true), status: 'DELETED' },
    }))
  const status = STATUSES[state]
  if (status === undefined) return []
  // A receipt says who has read: of a person's, the message is the account's own. What the gateway says of a send is about an own message, too.
  const isReceipt = state !== 'Failed' && state !== 'Sent'
  const fromMe = isReceipt ? about.IsFromMe !== true : true
  return ids.map((id) => ({
    event: 'messages.update',
    data: {
      keyId: id,
      remoteJid,
      fromMe,
      ...(participant === '' ? {} : { participant }),
      status,
      instanceId,
      messageId: id,
    },
  }))
}

/** Codes of the original for our causes. Those that are not here have none: the connection comes back by itself. */
const REASONS: Readonly<Record<string, number>> = {
  loggedOut: 401,
  pairingRefused: 401,
  temporarilyBanned: 402,
  forbidden: 403,
  versionRefused: 405,
  clientRefused: 406,
  pairingExpired: 408,
  multideviceMismatch: 411,
}
/** Beginning of the text of a QR code, which clients that draw it themselves have without it. */
const QR_ADDRESS = /^https:\/\/wa\.me\/settings\/linked_devices#/

function ofConnection(event: Json, { name, instanceId: _ }: EventPlace): readonly EvolutionEvent[] {
  const instance = asObject(event.instance)
  const owner = text(event.owner)
  const [code, picture, paircode] = [text(instance.qrcodeText), text(instance.qrcode), text(instance.paircode)]
  const isLoggedOut = event.type === 'LoggedOut'
  const shown: EvolutionEvent[] = []
  if (code !== '' || paircode !== '') {
    const qrcode = {
      instance: name,
      pairingCode: paircode === '' ? null : paircode,
      code: code.replace(QR_ADDRESS, ''),
      base64: picture,
    }
    shown.push({ event: 'qrcode.updated', data: { qrcode } })
  }
  const statusReason = isLoggedOut ? 401 : (REASONS[text(instance.cause)] ?? 200)
  switch (instance.status) {
    case 'connected':
      return [
        {
          event: 'connection.update',
          data: {
            instance: name,
            wuid: owner === '' ? '' : `${owner}@s.whatsapp.net`,
            state: 'open',
            statusReason: 200,
          },
        },
      ]
    case 'connecting':
      return [
        ...shown,
        { event: 'connection.update', data: { instance: name, state: 'connecting', statusReason: 200 } },
      ]
    default:
      return [
        { event: 'connection.update', data: { instance: name, state: 'close', statusReason } },
        { event: 'status.instance', data: closedInstance(instance, name, statusReason) },
        ...(isLoggedOut ? [{ event: 'logout.instance', data: null }] : []),
      ]
  }
}

function closedInstance(instance: Json, name: string, code: number): Json {
  return {
    instance: name,
    status: 'closed',
    disconnectionAt: text(instance.lastDisconnect) || null,
    disconnectionReasonCode: code,
    disconnectionObject: text(instance.lastDisconnectReason) || null,
  }
}

function ofHistory(
  { messages, batchNumber, batchTotal, progress }: Json,
  place: EventPlace,
): readonly EvolutionEvent[] {
  const records = Array.isArray(messages) ? messages.filter(isObject) : []
  const isLatest = batchNumber === batchTotal
  const beside = { isLatest, ...(progress === undefined ? {} : { progress }) }
  return [{ event: 'messages.set', data: records.map((record) => evolutionMessage(record, place)), beside }]
}

function ofContact({ event, contact }: Json, { instanceId }: EventPlace): readonly EvolutionEvent[] {
  const { JID, FullName, PushName } = asObject(event)
  const remoteJid = text(JID) || text(asObject(contact).jid)
  const pushName = text(FullName) || text(PushName)
  const data = { remoteJid, pushName, profilePicUrl: null, instanceId }
  return [{ event: 'contacts.update', data }]
}

function ofChat({ wa_chatid: remoteJid, name, wa_unreadCount: unread }: Json, { instanceId }: EventPlace) {
  const data = [{ remoteJid, instanceId, name: text(name), unreadMessages: Number(unread ?? 0) }]
  return [{ event: 'chats.update', data }]
}

function ofPresence({ Chat, Sender, State, LastSeen }: Json): readonly EvolutionEvent[] {
  const seen = typeof LastSeen === 'number' && LastSeen > 0 ? { lastSeen: LastSeen } : {}
  const presences = { [text(Sender) || text(Chat)]: { lastKnownPresence: State, ...seen } }
  return [{ event: 'presence.update', data: { id: Chat, presences } }]
}

const MEMBER_CHANGES = [
  ['Join', 'add'],
  ['Leave', 'remove'],
  ['Promote', 'promote'],
  ['Demote', 'demote'],
] as const
const GROUP_CHANGES: Readonly<Record<string, readonly [field: string, ours: string]>> = {
  subject: ['subject', 'Name'],
  description: ['desc', 'Topic'],
  announcement: ['announce', 'IsAnnounce'],
  locked: ['restrict', 'IsLocked'],
}

function ofGroup({ event, group, owner }: Json): readonly EvolutionEvent[] {
  const about = asObject(event)
  const after = asObject(group)
  const id = text(about.JID)
  const author = text(about.sender_pn) || text(about.Sender)
  const members = Array.isArray(about.Members) ? about.Members.filter(isObject) : []
  const findNumber = (jid: string) => text(members.find(({ JID }) => JID === jid)?.pn) || jid
  const found: EvolutionEvent[] = []
  const fields = (Array.isArray(about.Changes) ? about.Changes : []).flatMap((change) => {
    const known = GROUP_CHANGES[String(change).replace(/^(not_|un)/, '')]
    return known === undefined || after[known[1]] === undefined ? [] : [[known[0], after[known[1]]] as const]
  })
  if (fields.length > 0) found.push({ event: 'groups.update', data: [{ id, ...Object.fromEntries(fields) }] })
  for (const [list, action] of MEMBER_CHANGES) {
    const people = Array.isArray(about[list]) ? (about[list] as unknown[]).map(String) : []
    if (people.length === 0) continue
    const isOwn = action === 'add' && people.some((one) => findNumber(one) === `${text(owner)}@s.whatsapp.net`)
    if (isOwn) found.push({ event: 'groups.upsert', data: [toGroup(id, after)] })
    const participantsData = people.map((jid) => ({ jid, phoneNumber: findNumber(jid), name: null, imgUrl: null }))
    found.push({
      event: 'group-participants.update',
      data: { id, author, participants: people.map(findNumber), action, participantsData },
    })
  }
  return found
}

function toGroup(id: string, { Name, Topic, IsLocked, IsAnnounce, ParticipantCount }: Json): Json {
  return {
    id,
    subject: text(Name),
    desc: text(Topic),
    restrict: IsLocked === true,
    announce: IsAnnounce === true,
    size: Number(ParticipantCount ?? 0),
    participants: [],
  }
}

function ofLabel({ labelid, name, color, deleted }: Json, place: EventPlace): readonly EvolutionEvent[] {
  const data = { id: labelid, name, color: Number(color ?? 0), deleted: deleted === true, instance: place.name }
  return [{ event: 'labels.edit', data }]
}

/** Our event has all labels after the change: each of them is reported as added. */
function ofChatLabels({ wa_chatid: chatId, wa_label: labels }: Json, { name }: EventPlace): readonly EvolutionEvent[] {
  const ids = Array.isArray(labels) ? labels.map(String) : text(labels).split(',').filter(Boolean)
  return ids.map((labelId) => ({
    event: 'labels.association',
    data: { instance: name, type: 'add', chatId, labelId },
  }))
}

const CALL_STATES: Readonly<Record<string, string>> = {
  Ringing: 'offer',
  Accepted: 'accept',
  AcceptedElsewhere: 'accept',
  Rejected: 'reject',
  RejectedElsewhere: 'reject',
  Timeout: 'timeout',
  Ended: 'terminate',
}

function ofCall({ event, state }: Json): readonly EvolutionEvent[] {
  const { From, sender_pn: pn, CallID, Timestamp, IsLate, IsVideo, IsGroup, GroupJID } = asObject(event)
  const isGroup = IsGroup === true
  const data = {
    chatId: isGroup ? GroupJID : text(pn) || From,
    from: From,
    ...(text(pn) === '' ? {} : { callerPn: pn }),
    id: CallID,
    date: new Date(Number(Timestamp ?? 0) * 1_000).toISOString(),
    offline: IsLate === true,
    status: CALL_STATES[text(state)] ?? 'terminate',
    ...(IsVideo === undefined ? {} : { isVideo: IsVideo === true }),
    isGroup,
    ...(isGroup ? { groupJid: GroupJID } : {}),
  }
  return [{ event: 'call', data }]
}

function asObject(value: unknown): Json {
  return isObject(value) ? value : {}
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
