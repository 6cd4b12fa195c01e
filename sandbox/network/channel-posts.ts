/** Posts of channels: in plain, with a number that the server gives, and their edits, deletions, reactions, views and live updates. */
import { proto } from '@whiskeysockets/baileys'
import { bytes, child, children, type Node, node, nowSeconds } from '../wire/nodes.js'
import { type Channel, findRole, listReaders } from './channels.js'
import { IqError } from './iq-error.js'
import type { Account, Device, Session } from './model.js'
import type { Network } from './network.js'

export interface ChannelPost {
  readonly serverId: number
  readonly id: string
  readonly type: string
  readonly t: string
  mediatype: string | undefined
  /** The encoded message; empty after its deletion. */
  content: Buffer
  /** Number of edits so far. */
  edits: number
  views: number
  readonly viewers: Set<Account>
  readonly reactions: Map<Account, string>
}

/** The form of the stanza is not one that the server takes. */
const SMAX_INVALID = 479
const EDIT = '3'
const DELETION = '8'
const TAKEN_BACK = '7'
/** Seconds for which live updates are sent, unless the control API sets another time. */
const LIVE_SECONDS = 300
const PAGE_MAX = 100
/** Kinds of files, as the uploads name them, for which a message must name its upload. */
const FILES = new Set(['image', 'video', 'gif', 'ptv', 'audio', 'ptt', 'document', 'sticker'])

/** Handles a message of a client to a channel. */
export function handleChannelMessage(network: Network, session: Session, stanza: Node): void {
  const { device } = session
  const { id, to = '' } = stanza.attrs
  const channel = network.channels.get(to)
  const outcome = network.faults.ackError(device, undefined) ?? take(network, device, channel, stanza)
  const error = typeof outcome === 'number' ? String(outcome) : undefined
  const serverId = typeof outcome === 'object' ? String(outcome.serverId) : undefined
  if (network.faults.swallowsAck(device)) return
  session.send(node('ack', { class: 'message', id, from: to, t: nowSeconds(), server_id: serverId, error }))
}

/** Returns the post, or the code of a refusal. */
function take(network: Network, device: Device, channel: Channel | undefined, stanza: Node): ChannelPost | number {
  if (channel === undefined || channel.state === 'DELETED') return 404
  const { account } = device
  if (stanza.attrs.type === 'reaction') return react(network, channel, account, stanza)
  if (channel.owner !== account && !channel.admins.has(account)) return 403
  const plaintext = child(stanza, 'plaintext')
  // Nothing is encrypted for a channel.
  if (plaintext === undefined || child(stanza, 'enc') || child(stanza, 'participants')) return SMAX_INVALID
  const { edit } = stanza.attrs
  if (edit === EDIT || edit === DELETION) return change(network, device, channel, stanza)
  if (edit !== undefined || !isInForm(network, stanza, plaintext)) return SMAX_INVALID
  return post(network, device, channel, stanza)
}

/** A file names its kind and its upload, and a poll says that it is one. */
function isInForm({ media }: Network, stanza: Node, plaintext: Node): boolean {
  const { type, media_id: handle } = stanza.attrs
  const { mediatype } = plaintext.attrs
  if (type === 'poll') return child(stanza, 'meta')?.attrs.polltype === 'creation'
  if (type !== 'media') return type === 'text'
  if (mediatype === undefined) return false
  return !FILES.has(mediatype) || (handle !== undefined && media.isHandle(handle))
}

/** Adds a post of a client, or one that the control API writes. */
export function post(network: Network, device: Device, channel: Channel, stanza: Node): ChannelPost {
  const { id = '', type = 'text' } = stanza.attrs
  const plaintext = child(stanza, 'plaintext')
  const added: ChannelPost = {
    ...{ serverId: channel.nextServerId++, id, type, t: nowSeconds(), edits: 0, views: 0 },
    mediatype: plaintext?.attrs.mediatype,
    content: bytes(plaintext),
    viewers: new Set(),
    reactions: new Map(),
  }
  // A message that comes twice is two posts: whoever sends again must look first.
  channel.posts.push(added)
  deliver(network, device, channel, added)
  return added
}

/** Edits or deletes a post. */
export function change(network: Network, device: Device, channel: Channel, stanza: Node): ChannelPost | number {
  const found = channel.posts.find(({ id }) => id === stanza.attrs.id)
  if (found === undefined) return 404
  found.content = stanza.attrs.edit === DELETION ? Buffer.alloc(0) : bytes(child(stanza, 'plaintext'))
  found.edits += 1
  deliver(network, device, channel, found, stanza.attrs.edit)
  return found
}

function react(network: Network, channel: Channel, account: Account, stanza: Node): ChannelPost | number {
  const found = channel.posts.find(({ serverId }) => String(serverId) === stanza.attrs.server_id)
  if (found === undefined) return 404
  const code = child(stanza, 'reaction')?.attrs.code
  if (code === undefined) {
    if (stanza.attrs.edit !== TAKEN_BACK) return SMAX_INVALID
    found.reactions.delete(account)
  } else {
    if (channel.reactionCodes === 'none') return 405
    found.reactions.set(account, code)
  }
  tellLive(network, channel, found)
  return found
}

/** Sends a post, or a change of one, to the companions of all readers. Phones of the sandbox do not show channels. */
function deliver(network: Network, author: Device, channel: Channel, post: ChannelPost, edit?: string): void {
  const { id, serverId, type, t, mediatype, content } = post
  const attributes = { from: channel.jid, id, server_id: String(serverId), type, t, edit }
  const meta = edit === EDIT ? [node('meta', { msg_edit_t: nowSeconds(), original_msg_t: t })] : []
  const plaintext = node('plaintext', { mediatype }, content)
  for (const reader of listReaders(channel))
    for (const device of reader.devices.values()) {
      if (device === author || device.id === 0) continue
      const own = { is_sender: reader === author.account ? 'true' : undefined }
      network.deliver(device, node('message', { ...attributes, ...own }, [plaintext, ...meta]))
    }
}

/** A receipt `view`: the posts count as viewed by the account. */
export function handleViews(network: Network, { device }: Session, stanza: Node): void {
  const channel = network.channels.get(stanza.attrs.to ?? '')
  const items = children(child(stanza, 'list'), 'item').map(({ attrs }) => attrs.server_id)
  for (const found of channel?.posts ?? []) {
    if (!items.includes(String(found.serverId)) || found.viewers.has(device.account)) continue
    found.viewers.add(device.account)
    found.views += 1
    if (channel !== undefined) tellLive(network, channel, found)
  }
}

/** Tells those who asked for live updates what became of a post. */
export function tellLive(network: Network, channel: Channel, ...posts: readonly ChannelPost[]): void {
  const nowMs = Date.now()
  for (const [device, untilMs] of channel.live) {
    if (untilMs < nowMs || !device.session) {
      channel.live.delete(device)
      continue
    }
    const attributes = { from: channel.jid, type: 'newsletter', id: network.makeId(), t: nowSeconds() }
    const messages = node(
      'messages',
      { t: nowSeconds() },
      posts.map((one) => describe(one, false)),
    )
    network.deliver(device, node('notification', attributes, [node('live_updates', {}, [messages])]))
  }
}

/** `xmlns=newsletter`: posts, their counts, and the request for live updates. */
export function handleNewsletter(network: Network, { device }: Session, iq: Node): Node[] {
  const [request] = children(iq)
  const isPosts = request?.tag === 'messages'
  const channel = network.channels.get((isPosts ? request.attrs.jid : iq.attrs.to) ?? '')
  if (request === undefined || (isPosts && request.attrs.type !== 'jid')) throw new IqError(400, 'bad-request')
  if (channel === undefined || channel.state === 'DELETED') throw new IqError(404, 'item-not-found')
  if (request.tag === 'live_updates') {
    const seconds = network.liveSeconds ?? LIVE_SECONDS
    channel.live.set(device, Date.now() + seconds * 1000)
    network.liveRequests += 1
    return [node('live_updates', { duration: String(seconds) })]
  }
  if (findRole(channel, device.account) === 'GUEST' && (!isPosts || request.attrs.view_role !== 'GUEST'))
    throw new IqError(403, 'forbidden')
  const found = chosen(channel, request)
  const messages = (withContent: boolean) =>
    node(
      'messages',
      { jid: channel.jid, t: nowSeconds() },
      found.map((one) => describe(one, withContent)),
    )
  if (isPosts) return [messages(true)]
  if (request.tag !== 'message_updates') throw new IqError(400, 'bad-request')
  return [node('message_updates', {}, [messages(false)])]
}

function chosen({ posts }: Channel, { attrs }: Node): ChannelPost[] {
  const count = Math.min(Number(attrs.count ?? PAGE_MAX), PAGE_MAX)
  const { before, after, since } = attrs
  const found = posts.filter(
    ({ serverId, t }) =>
      (before === undefined || serverId < Number(before)) &&
      (after === undefined || serverId > Number(after)) &&
      (since === undefined || Number(t) >= Number(since)),
  )
  return after === undefined ? found.slice(-count) : found.slice(0, count)
}

function describe(
  { serverId, id, type, t, mediatype, content, views, reactions }: ChannelPost,
  withContent: boolean,
): Node {
  const counts = new Map<string, number>()
  for (const code of reactions.values()) counts.set(code, (counts.get(code) ?? 0) + 1)
  const parts = [
    node('views_count', { count: String(views) }),
    node(
      'reactions',
      {},
      [...counts].map(([code, count]) => node('reaction', { code, count: String(count) })),
    ),
  ]
  if (!withContent) return node('message', { server_id: String(serverId) }, parts)
  return node('message', { id, server_id: String(serverId), type, t }, [
    node('plaintext', { mediatype }, content),
    ...parts,
  ])
}

/** A post as the control API shows it. */
export function shownPost({ serverId, id, type, mediatype, content, edits, views, reactions }: ChannelPost) {
  const message = content.length === 0 ? null : (proto.Message.decode(content).toJSON() as Record<string, unknown>)
  return { serverid: serverId, id, type, mediatype, message, edits, views, reactions: [...reactions.values()] }
}
