/** Reads the usernames that the server writes into stanzas. */
import type { BinaryNode } from '@whiskeysockets/baileys'
import { bareJid, toChatAddress } from '../../../schemas/jid.js'
import type { ContactFields } from '../../../schemas/stored-fields.js'
import { isUsername } from '../../../schemas/username.js'
import { isPerson } from './addressing.js'
import { children, findChild } from './child-nodes.js'
import { isOfAccount, type OwnAddresses } from './own-devices.js'

const NOTICE_MAX_BYTES = 64 * 1024
/** Maximum of usernames that are taken from one answer. Further ones arrive with messages. */
const ANSWER_MAX = 5_000
const USERNAME_BYTES_MAX = 100

/** Reads the usernames of the author and the receiver of a message or receipt (whatsmeow `message.go`, `parseMessageSource`). */
export function usernamesOfMessage({ attrs }: BinaryNode, own: OwnAddresses): readonly ContactFields[] {
  const { from = '', participant, recipient } = attrs
  if (!isPerson(from)) return named(participant, attrs.participant_username)
  if (!isOfAccount(from, own)) return named(from, attrs.username)
  return named(recipient, attrs.peer_recipient_username ?? attrs.recipient_username)
}

/** Reads the usernames of members and authors in a notification about a group. */
export function usernamesOfGroup(notification: BinaryNode): readonly ContactFields[] {
  const { participant, participant_username: author } = notification.attrs
  return [...named(participant, author), ...children(notification).flatMap(usernamesOfChange)]
}

/** Reads the usernames of members and authors in an answer that describes groups. */
export function usernamesOfGroups(answer: BinaryNode | undefined): readonly ContactFields[] {
  const groups = answer === undefined ? [] : children(answer).filter(({ tag }) => tag === 'group')
  return groups.flatMap((group) => readPeople([group.attrs], children(group))).slice(0, ANSWER_MAX)
}

/** Reads the usernames in the answer to a look-up of people (`<username/>` is asked for as whatsmeow does, `IsOnWhatsApp`). */
export function usernamesOfLookUp(answer: BinaryNode): readonly ContactFields[] {
  const users = findChild(findChild(answer, 'usync'), 'list')
  if (users === undefined) return []
  const found = children(users).flatMap((user) => {
    const content = findChild(user, 'username')?.content
    const isText = content instanceof Uint8Array && content.length <= USERNAME_BYTES_MAX
    const text = isText ? Buffer.from(content).toString('utf8') : content
    return named(user.attrs.jid, text ?? findChild(user, 'contact')?.attrs.username)
  })
  return found.slice(0, ANSWER_MAX)
}

function usernamesOfChange(change: BinaryNode): readonly ContactFields[] {
  const group = findChild(change, 'group')
  const members = [...children(change), ...(group === undefined ? [] : children(group))]
  return readPeople([change.attrs, group?.attrs ?? {}], members)
}

/** Reads who made a group or its name, and its members. */
function readPeople(authors: readonly BinaryNode['attrs'][], members: readonly BinaryNode[]): readonly ContactFields[] {
  const { s_o, s_o_username, creator, creator_username } = Object.assign({}, ...authors) as BinaryNode['attrs']
  return [
    ...named(s_o, s_o_username),
    ...named(creator, creator_username),
    ...members.flatMap(({ tag, attrs }) =>
      tag === 'participant' || tag === 'requested_user'
        ? named(attrs.jid, attrs.participant_username ?? attrs.username)
        : [],
    ),
  ]
}

/** Reads the usernames in a list of blocked people, or in a change of it. */
export function usernamesOfBlocklist(list: BinaryNode | undefined): readonly ContactFields[] {
  return list === undefined ? [] : children(list).flatMap(({ attrs }) => named(attrs.jid, attrs.username))
}

/** Reads the username of a caller. */
export function usernamesOfCall(call: BinaryNode): readonly ContactFields[] {
  const [child] = children(call)
  return named(call.attrs.from, call.attrs.username ?? child?.attrs.username ?? child?.attrs.caller_username)
}

/** Usernames in a notice. `own`: that of the account itself, empty when it was removed, null when the notice names others. */
export interface NoticedUsernames {
  readonly own: string | null
  readonly others: readonly ContactFields[]
}

/**
 * Reads the notice that a person, or the account itself on another device, has set or removed a username. Notices with a hash alone name nobody
 * (`WAWebMexUsernameUpdateNotificationHandler`, `WAWebMexUsernameAccountSyncNotificationHandler` of WhatsApp Web).
 */
export function usernamesOfNotice(notification: BinaryNode, own: OwnAddresses): NoticedUsernames {
  const content = findChild(notification, 'update')?.content
  if (!(content instanceof Uint8Array) || content.length > NOTICE_MAX_BYTES) return { own: null, others: [] }
  // Bound: 65,536, 20,000 values, checked above.
  const { data } = JSON.parse(Buffer.from(content).toString('utf8')) as { data?: unknown }
  const notices = (data ?? {}) as Readonly<Record<string, Notice | undefined>>
  const { xwa2_notify_username_on_change: set, xwa2_notify_username_delete: removed } = notices
  const { xwa2_notify_wa_user: synced } = notices
  const changes = [
    ...(typeof set?.lid === 'string' ? named(set.lid, set.username) : []),
    ...(typeof removed?.lid === 'string' && isPerson(removed.lid)
      ? [{ address: toChatAddress(removed.lid), username: '' }]
      : []),
  ]
  const isOwn = ({ address }: ContactFields): boolean => isOfAccount(address.lid ?? address.pn ?? '', own)
  const changed = changes.find(isOwn)?.username ?? null
  return {
    own: typeof synced?.lid_jid === 'string' ? readOwnUsername(synced) : changed,
    others: changes.filter((change) => !isOwn(change)),
  }
}

interface Notice {
  readonly lid?: unknown
  readonly username?: unknown
  readonly lid_jid?: unknown
  readonly username_info?: unknown
}

/** Reads the username of the account itself. Returns '' if there is none, and null for anything else. */
export function readOwnUsername(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null
  const info = (value as { username_info?: unknown }).username_info ?? {}
  const username = typeof info === 'object' ? ((info as { username?: unknown }).username ?? '') : null
  return username === '' || isUsername(username) ? username : null
}

function named(jid: string | undefined, username: unknown): readonly ContactFields[] {
  if (jid === undefined || !isPerson(jid) || !isUsername(username)) return []
  return [{ address: toChatAddress(bareJid(jid)), username }]
}
