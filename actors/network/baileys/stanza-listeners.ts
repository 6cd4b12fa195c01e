import type { EventEmitter } from 'node:events'
import type { BinaryNode, WASocket } from '@whiskeysockets/baileys'
import { errorText } from '../../../lib/error-text.js'
import { isChannelJid } from '../../../schemas/channel.js'
import type { Jid, MessageId } from '../../../schemas/ids.js'
import { bareJid, readUser } from '../../../schemas/jid.js'
import type { ChatFields } from '../../../schemas/stored-fields.js'
import type { ChatChange, NetworkEvent } from '../port/events.js'
import type { BaileysChannels } from './abilities/channels.js'
import type { BaileysGroups } from './abilities/groups.js'
import type { BaileysPasskey } from './abilities/passkey.js'
import { readLimitsNotice } from './account-limits.js'
import type { Acknowledgements } from './acknowledgements/acknowledgements.js'
import type { AppStateWriter } from './app-state-writes.js'
import { readBlockChanges, readBlocklist } from './blocklist.js'
import { listenToCalls } from './call-stanzas.js'
import { parseCount } from './channel-answers.js'
import { type ChannelPosts, isOfChannel, readLiveUpdates } from './channel-inbound.js'
import { children, findChild } from './child-nodes.js'
import { changedUsers, forgetDevices } from './direct/device-look-up.js'
import type { EventRelease } from './event-release.js'
import type { Inbound } from './inbound.js'
import type { LidRefresh } from './lid-refresh.js'
import type { LiveSocket } from './live-socket.js'
import { extendReferences } from './pairing.js'
import type { PairingOffer } from './pairing-offer.js'
import { readChatState, readPresence } from './presence-stanzas.js'
import { translateReceipt } from './receipts.js'
import type { TrafficLog } from './traffic-log.js'
import {
  usernamesOfBlocklist,
  usernamesOfCall,
  usernamesOfGroup,
  usernamesOfGroups,
  usernamesOfLookUp,
  usernamesOfMessage,
  usernamesOfNotice,
} from './usernames.js'

export interface StanzaParts {
  readonly live: LiveSocket
  readonly inbound: Inbound
  readonly groups: BaileysGroups
  readonly channels: Pick<BaileysChannels, 'isAnswerToChange'>
  readonly posts: Pick<ChannelPosts, 'take'>
  readonly acknowledgements: Pick<Acknowledgements, 'acknowledge'>
  readonly appState: AppStateWriter
  readonly traffic: TrafficLog
  readonly releases: EventRelease
  readonly lids: Pick<LidRefresh, 'refresh'>
  /** Set while the device is not paired. */
  readonly offer: PairingOffer | undefined
  readonly passkey: BaileysPasskey
  /** True if pairings with a passkey are finished, and not ended. */
  readonly isPasskeyTaken: boolean
}

type Listener = (node: BinaryNode, parts: StanzaParts) => unknown

const LISTENERS: Readonly<Record<string, Listener>> = {
  'CB:message': onMessage,
  'CB:receipt': onReceipt,
  'CB:call': (node, { inbound }) => inbound.usernames(usernamesOfCall(node)),
  'CB:ack,class:message': onAck,
  'CB:iq,,sync': (node, { appState }) => appState.onAnswer(node),
  'CB:iq,,list': onBlocklist,
  // Answers that name people, whoever asked: look-ups of numbers and devices, and groups.
  'CB:iq,,usync': (node, { inbound }) => inbound.usernames(usernamesOfLookUp(node)),
  'CB:iq,,group': (node, { inbound }) => inbound.usernames(usernamesOfGroups(node)),
  'CB:iq,,groups': (node, { inbound }) => inbound.usernames(usernamesOfGroups(findChild(node, 'groups'))),
  'CB:presence': (node, { live }) => emitPresence(readPresence(node), live),
  'CB:chatstate': (node, { live }) => emitPresence(readChatState(node), live),
  'CB:notification,type:account_sync': onAccountSync,
  'CB:notification,type:w:gp2': onGroupNotification,
  'CB:notification,type:devices': onDevices,
  'CB:iq,type:set,pair-device': (node, { isPasskeyTaken }) => {
    if (isPasskeyTaken) extendReferences(node)
  },
  'CB:notification,type:passkey_prologue_request': (node, { passkey, live }) =>
    passkey.onChallenge(node).catch((error: unknown) => live.fail(error)),
  'CB:notification,type:crsc_continuation': (node, { passkey, live }) =>
    passkey.onContinuation(node).catch((error: unknown) => live.fail(error)),
  'CB:notification,type:mex': onQueryNotification,
  'CB:notification,type:newsletter': onChannelNotification,
  'CB:ib,,client_expiration': onClientExpiration,
  'CB:notification,type:companion_reg_refresh': (node, { offer }) => offer?.refreshSecret(node),
}

/** Adds our listeners before those of the library, so that their writes are in the journal before the library can acknowledge a stanza. */
export function listenToStanzas(socket: WASocket, parts: StanzaParts): void {
  const { live } = parts
  const ws = socket.ws as unknown as EventEmitter
  const misunderstood = (error: unknown): void =>
    live.logger.warn({ error: errorText(error) }, 'A stanza could not be parsed.')
  listenToCalls({
    ws,
    findNumber: (lid) => live.reader.mapping(live.instance, lid),
    emit: (event) => live.emit(event),
    isClosed: () => live.isClosed,
    misunderstood,
  })
  keepChannelsFromLibrary(ws)
  for (const [event, listener] of Object.entries(LISTENERS))
    ws.prependListener(event, (node: BinaryNode) => {
      try {
        if (!live.isClosed) listener(node, parts)
      } catch (error) {
        misunderstood(error)
      }
    })
}

/** The library would take keys from what strangers post, ask for what it cannot parse again, and log updates as unknown (7.0.0-rc14). */
function keepChannelsFromLibrary(ws: EventEmitter): void {
  for (const event of ['CB:message', 'CB:notification']) {
    const listeners = ws.listeners(event)
    ws.removeAllListeners(event)
    for (const listener of listeners)
      ws.on(event, (node: BinaryNode) => (isOfChannel(node) ? undefined : (listener(node) as unknown)))
  }
}

function onMessage(node: BinaryNode, { live, traffic, groups, inbound, releases, posts }: StanzaParts): void {
  traffic.noteMessage()
  groups.noteAddressing(node)
  // `announce` marks each message as one that waited at the network.
  const isLive = node.attrs.offline === undefined
  if (isOfChannel(node)) {
    posts.take(node)
    return
  }
  inbound.usernames(usernamesOfMessage(node, live.own()))
  inbound.announce(node)
  if (isLive) releases.afterMessage()
}

/** The acknowledgement leaves when what the updates write is durable. */
function onChannelNotification(node: BinaryNode, { live, acknowledgements }: StanzaParts): void {
  for (const event of readLiveUpdates(node)) live.emit(event)
  if (isOfChannel(node)) acknowledgements.acknowledge(node)
}

function emitPresence(event: NetworkEvent | null, live: LiveSocket): void {
  if (event !== null) live.emit(event)
}

function onReceipt(node: BinaryNode, { live, inbound }: StanzaParts): void {
  inbound.usernames(usernamesOfMessage(node, live.own()))
  for (const event of translateReceipt(node, live.own())) live.emit(event)
}

function onAck(node: BinaryNode, { live, traffic, lids, channels }: StanzaParts): void {
  const { id, error, from, refresh_lid: isStale } = node.attrs
  if (isStale === 'true' && from !== undefined) lids.refresh(from)
  if (id === undefined) return
  traffic.noteAck(id)
  const isOfPost = from !== undefined && isChannelJid(from)
  if (isOfPost && channels.isAnswerToChange(node)) return
  const serverid = isOfPost && isOfChannel(node) ? parseCount(node.attrs.server_id) : null
  const post = serverid === null ? {} : { post: { channel: from as Jid, serverid } }
  const code = error === undefined ? null : Number(error) || 500
  live.emit({ type: 'ack', messageid: id as MessageId, error: code, ...post })
}

/** Reads the answer to a request that the library sends at each login. */
function onBlocklist(node: BinaryNode, { live, inbound }: StanzaParts): void {
  const blocked = readBlocklist(node)
  if (blocked === null) return
  live.emit({ type: 'blocklist', blocked })
  inbound.usernames(usernamesOfBlocklist(findChild(node, 'list')))
}

function onAccountSync(node: BinaryNode, { live, inbound }: StanzaParts): void {
  inbound.usernames(usernamesOfBlocklist(findChild(node, 'blocklist')))
  for (const { person, isBlocked } of readBlockChanges(node)) live.emit({ type: 'blocked', person, isBlocked })
  const isPrivacy = Array.isArray(node.content) && node.content.some(({ tag }) => tag === 'privacy')
  // The library reads the settings once a connection, and would go on to send read receipts that were switched off (7.0.0-rc14).
  if (isPrivacy && live.isOpen) live.socket?.fetchPrivacySettings(true).catch(() => {})
}

function onGroupNotification(node: BinaryNode, { live, groups, inbound }: StanzaParts): void {
  inbound.usernames(usernamesOfGroup(node))
  groups.onNotification(node)
  const change = translateGroupChange(node, live.own())
  if (change !== null) live.emit({ type: 'chats', chats: [change] })
}

/** Forgets the stored devices before the library acknowledges the notice: it changes only what is in memory. */
function onDevices(node: BinaryNode, { live }: StanzaParts): void {
  const users = changedUsers(node)
  if (users.length > 0 && live.keys !== undefined) void live.orFail(forgetDevices(users, live.keys)).catch(() => {})
}

function onQueryNotification(node: BinaryNode, { live }: StanzaParts): void {
  const { own, others } = usernamesOfNotice(node, live.own())
  if (own !== null) live.emit({ type: 'ownUsername', username: own })
  if (others.length > 0) live.emit({ type: 'contacts', contacts: others })
  const limits = readLimitsNotice(node)
  if (limits !== null) live.emit(limits)
}

/** Logs when WhatsApp will refuse this version of the client (oxidezap/whatsapp-rust pull request 1314). */
function onClientExpiration({ content }: BinaryNode, { live }: StanzaParts): void {
  const seconds = Array.isArray(content) ? Number(content[0]?.attrs.t) : Number.NaN
  const expiresAt =
    Number.isFinite(seconds) && seconds > 0 && seconds < 1e11 ? new Date(seconds * 1000).toISOString() : null
  live.logger.warn(
    { expiresAt },
    'WhatsApp will refuse the version of this client after a time. Install a newer release before.',
  )
}

type Own = { jid: string; lid: string | null }

/**
 * Reads changes of the chat from a notification about a group (`w:gp2`): its name, who may write, the role of the account. Returns null if
 * there is none. Forms: `group.go` of whatsmeow, `parseGroupChange`.
 */
function translateGroupChange(notification: BinaryNode, own: Own): ChatChange | null {
  const { from } = notification.attrs
  if (from === undefined || !from.endsWith('@g.us')) return null
  const set: ChatFields = {}
  for (const change of children(notification)) Object.assign(set, readGroupChange(change, own))
  return Object.keys(set).length === 0 ? null : { chat: { group: bareJid(from) }, set: { wa_isGroup: true, ...set } }
}

function readGroupChange(change: BinaryNode, own: Own): ChatFields {
  const isAboutUs = children(change).some((child) => child.tag === 'participant' && isOwn(child, own))
  switch (change.tag) {
    case 'create': {
      const group = children(change).find(({ tag }) => tag === 'group')
      return group === undefined ? {} : groupFields(group, own)
    }
    case 'subject':
      return change.attrs.subject ? { name: change.attrs.subject } : {}
    case 'announcement':
      return { wa_isGroup_announce: true }
    case 'not_announcement':
      return { wa_isGroup_announce: false }
    case 'ephemeral':
      return { wa_ephemeralExpiration: Number(change.attrs.expiration) || 0 }
    case 'not_ephemeral':
      return { wa_ephemeralExpiration: 0 }
    case 'add':
      return isAboutUs ? { wa_isGroup_member: true, wa_isGroup_admin: false } : {}
    case 'remove':
    case 'leave':
      return isAboutUs ? { wa_isGroup_member: false, wa_isGroup_admin: false } : {}
    case 'promote':
      return isAboutUs ? { wa_isGroup_member: true, wa_isGroup_admin: true } : {}
    case 'demote':
      return isAboutUs ? { wa_isGroup_admin: false } : {}
    case 'delete':
      return { wa_isGroup_member: false, wa_isGroup_admin: false }
    default:
      return {}
  }
}

/** Reads the chat of a group from its metadata. */
function groupFields(group: BinaryNode, own: Own): ChatFields {
  const all = children(group)
  const has = (tag: string): boolean => all.some((child) => child.tag === tag)
  const us = all.find((child) => child.tag === 'participant' && isOwn(child, own))
  const ephemeral = all.find(({ tag }) => tag === 'ephemeral')
  return {
    ...(group.attrs.subject ? { name: group.attrs.subject } : {}),
    wa_isGroup_announce: has('announcement'),
    wa_isGroup_community: has('parent'),
    wa_isGroup_member: us !== undefined,
    wa_isGroup_admin: us?.attrs.type === 'admin' || us?.attrs.type === 'superadmin',
    wa_ephemeralExpiration: Number(ephemeral?.attrs.expiration) || 0,
  }
}

function isOwn({ attrs }: BinaryNode, own: Own): boolean {
  const users = [readUser(own.jid), ...(own.lid === null ? [] : [readUser(own.lid)])]
  return [attrs.jid, attrs.lid, attrs.phone_number].some((jid) => jid !== undefined && users.includes(readUser(jid)))
}
