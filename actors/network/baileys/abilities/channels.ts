import { type BinaryNode, proto } from '@whiskeysockets/baileys'
import {
  type Channel,
  type ChannelAction,
  type ChannelAdminAction,
  type ChannelChange,
  type ChannelName,
  type ChannelPage,
  type ChannelPost,
  type ChannelPostCounts,
  type ChannelSearch,
  POSTS_MAX,
} from '../../../../schemas/channel.js'
import { GatewayError } from '../../../../schemas/errors.js'
import type { Jid, MessageId } from '../../../../schemas/ids.js'
import { type ChatAddress, toChatId } from '../../../../schemas/jid.js'
import { NETWORK_QUERIES, type NetworkQueryName } from '../../../../schemas/network-queries.js'
import type { ChannelNetwork, FoundPost } from '../../port/channels.js'
import {
  findPlaintext,
  parseCount,
  postNodes,
  readChannel,
  readChannelPage,
  readChannels,
  readInvitation,
  readPostCounts,
  readPosts,
} from '../channel-answers.js'
import { findChild } from '../child-nodes.js'
import { findStanzaType, mediaAttributes } from '../direct/message-kind.js'
import { unwrap } from '../incoming.js'
import { toMessageId } from '../key-codec.js'
import { readMessage } from '../kinds/read-message.js'
import type { LiveSocket } from '../live-socket.js'
import { queryMex } from '../mex.js'
import { editedContent } from '../outgoing.js'
import { refusedAs } from '../refused-as.js'

/** Notice of the network's terms for channels, and the stage that accepts it (whatsmeow `newsletter.go`). */
const TERMS = { id: '20601218', stage: '5' }

/** Seconds for which the network keeps a request for live updates; what it says is taken between these (zapo). */
const LIVE_SECONDS = { min: 30, max: 600 }

/** What a channel is asked for without fields, with the query and its variables. */
const ACTIONS: Readonly<
  Record<ChannelAction, readonly [name: NetworkQueryName, variables: (newsletter_id: Jid) => object]>
> = {
  follow: ['followChannel', (newsletter_id) => ({ newsletter_id })],
  unfollow: ['unfollowChannel', (newsletter_id) => ({ newsletter_id })],
  mute: ['muteChannel', (newsletter_id) => muting(newsletter_id, 'ON')],
  unmute: ['muteChannel', (newsletter_id) => muting(newsletter_id, 'OFF')],
  delete: ['deleteChannel', (newsletter_id) => ({ newsletter_id })],
  acceptAdmin: ['acceptChannelAdmin', (newsletter_id) => ({ newsletter_id })],
}

const ADMIN_ACTIONS: Readonly<Record<ChannelAdminAction, NetworkQueryName>> = {
  remove: 'demoteChannelAdmin',
  revoke: 'revokeChannelInvite',
  transfer: 'transferChannel',
}

/** Meaning of the network's codes (wa-js pull request 3259, whatsapp-rust issue 1372). */
const REASONS: Readonly<Record<number, string>> = {
  400: 'the channel or the person may be wrong, or WhatsApp has retired the number of the query, which WA_QUERY_IDS replaces',
  405: 'the channel takes no followers at present',
  419: 'the account has reached its limit of channels',
  451: 'the channel is not available in the country of the account',
  479: 'the form of the message is not one that WhatsApp takes',
}

/**
 * Asks the queries and builds the stanzas of channels itself: the library throws for a channel that was created without a picture, asks for
 * updates where posts are wanted, writes edits and deletions wrongly, and overwrites the settings with each change (7.0.0-rc14). Not yet tested
 * against WhatsApp.
 */
export class BaileysChannels implements ChannelNetwork {
  readonly #live: LiveSocket
  /** Reactions and changes that the network has not answered. A change has the id of the post that it changes. */
  readonly #changes = new Set<string>()

  constructor(live: LiveSocket) {
    this.#live = live
  }

  async channel(name: ChannelName): Promise<Channel> {
    const [key, type] = 'jid' in name ? [name.jid, 'JID'] : [name.invite, 'INVITE']
    const data = await this.#ask('channelInfo', {
      input: { key, type, view_role: 'GUEST' },
      fetch_viewer_metadata: true,
      fetch_full_image: true,
      fetch_creation_time: true,
    })
    const channel = readChannel(data.xwa2_newsletter)
    if (channel === null || channel.state === 'NON_EXISTING') throw new GatewayError('CHANNEL_NOT_FOUND')
    return channel
  }

  async followed(): Promise<readonly Channel[]> {
    return readChannels((await this.#ask('channelsFollowed', {})).xwa2_newsletter_subscribed)
  }

  async search({ text, view, countryCodes, limit, after }: ChannelSearch): Promise<ChannelPage> {
    const page = { limit, ...(after === '' ? {} : { start_cursor: after }) }
    if (text !== '') {
      const data = await this.#ask('channelSearch', { input: { search_text: text, categories: [], ...page } })
      return readChannelPage(data.xwa2_newsletters_directory_search)
    }
    const country_codes = countryCodes.map((code) => code.toUpperCase())
    if (view === 'RECOMMENDED') {
      const data = await this.#ask('channelsRecommended', { input: { limit, country_codes } })
      return readChannelPage(data.xwa2_newsletters_recommended)
    }
    const input = { view, filters: { country_codes, categories: [] }, ...page }
    return readChannelPage((await this.#ask('channelDirectory', { input })).xwa2_newsletters_directory_list)
  }

  async create({ name, description, picture }: ChannelChange & { readonly name: string }): Promise<Channel> {
    await this.#iq('set', 's.whatsapp.net', 'tos', node('notice', TERMS)).catch(refusedAs('CHANNEL_REFUSED'))
    const input = { name, description: description ?? null, picture: picture ?? null }
    const channel = readChannel((await this.#ask('createChannel', { input })).xwa2_newsletter_create)
    if (channel === null) throw new GatewayError('OUTCOME_UNKNOWN')
    return channel
  }

  async update(channel: Jid, { reactionCodes, ...fields }: ChannelChange): Promise<void> {
    // The library sends `settings: null` with each change, which takes back what the owner has chosen.
    const settings = reactionCodes === undefined ? {} : { settings: { reaction_codes: { value: reactionCodes } } }
    await this.#ask('updateChannel', { newsletter_id: channel, updates: { ...fields, ...settings } })
  }

  async act(channel: Jid, action: ChannelAction): Promise<void> {
    const [name, variables] = ACTIONS[action]
    await this.#ask(name, { ...variables(channel) }).catch((error: unknown) => {
      // The network's answer for a channel that is not followed.
      const isDone = action === 'unfollow' && error instanceof GatewayError && error.fields.provider_code === 400
      if (!isDone) throw error
    })
  }

  async inviteAdmin(channel: Jid, person: ChatAddress): Promise<number> {
    const data = await this.#ask('inviteChannelAdmin', { newsletter_id: channel, user_id: findUser(person) })
    return readInvitation(data.xwa2_newsletter_admin_invite_create)
  }

  async actOnAdmin(channel: Jid, person: ChatAddress, action: ChannelAdminAction): Promise<void> {
    await this.#ask(ADMIN_ACTIONS[action], { newsletter_id: channel, user_id: findUser(person) })
  }

  async posts(channel: Jid, count: number, before?: number): Promise<readonly ChannelPost[]> {
    return readPosts(await this.#page(channel, count, before))
  }

  async updates(
    channel: Jid,
    count: number,
    { after, sinceMs }: { readonly after?: number; readonly sinceMs?: number },
  ): Promise<readonly ChannelPostCounts[]> {
    const attrs = {
      count: String(count),
      ...(after === undefined ? {} : { after: String(after) }),
      ...(sinceMs === undefined ? {} : { since: String(Math.floor(sinceMs / 1000)) }),
    }
    return readPostCounts(await this.#read(channel, node('message_updates', attrs)))
  }

  async markViewed(channel: Jid, posts: readonly number[]): Promise<void> {
    const items = posts.map((post) => node('item', { server_id: String(post) }))
    const attrs = { to: channel, type: 'view', id: this.#live.live().generateMessageTag() }
    await this.#send(node('receipt', attrs, [node('list', {}, items)]))
  }

  async react(channel: Jid, post: number, emoji: string, messageid: MessageId): Promise<void> {
    const attrs = {
      ...{ to: channel, type: 'reaction', id: messageid, server_id: String(post) },
      ...(emoji === '' ? { edit: '7' } : {}),
    }
    await this.#send(node('message', attrs, [node('reaction', emoji === '' ? {} : { code: emoji })]))
  }

  async findPost(
    channel: Jid,
    post: { readonly messageid: string } | { readonly serverid: number },
  ): Promise<FoundPost | null> {
    const isPost = ({ attrs }: BinaryNode) =>
      'messageid' in post ? toMessageId(attrs.id ?? '') === post.messageid : attrs.server_id === String(post.serverid)
    const page = 'messageid' in post ? this.#page(channel, POSTS_MAX) : this.#page(channel, 1, post.serverid + 1)
    const found = postNodes(await page).find(isPost)
    const bytes = found === undefined ? null : findPlaintext(found)
    if (found === undefined || bytes === null) return null
    return {
      messageid: toMessageId(found.attrs.id ?? ''),
      serverid: parseCount(found.attrs.server_id) ?? 0,
      proto: bytes,
    }
  }

  withText(bytes: Uint8Array, text: string): Uint8Array {
    return proto.Message.encode(editedContent(unwrap(readMessage(bytes)), text) as proto.Message).finish()
  }

  async revise(channel: Jid, messageid: MessageId, bytes: Uint8Array | null): Promise<void> {
    const edit = bytes === null ? '8' : '3'
    const message = bytes === null ? null : readMessage(bytes)
    const type = message === null ? 'text' : findStanzaType(message)
    const mediatype = message === null ? {} : mediaAttributes(message)
    const plaintext: BinaryNode = { tag: 'plaintext', attrs: mediatype, ...(bytes === null ? {} : { content: bytes }) }
    await this.#send(node('message', { to: channel, id: messageid, type, edit }, [plaintext]))
  }

  /** Returns whether the stanza answers a reaction or a change, which are no messages of their own. */
  isAnswerToChange({ attrs: { id, from } }: BinaryNode): boolean {
    return this.#changes.has(`${id} ${from}`)
  }

  async liveUpdates(channel: Jid): Promise<number> {
    const answer = await this.#iq('set', channel, 'newsletter', node('live_updates', {}, [])).catch(explained)
    const seconds = Number(findChild(answer, 'live_updates')?.attrs.duration)
    const { min, max } = LIVE_SECONDS
    return Number.isFinite(seconds) ? Math.min(Math.max(Math.floor(seconds), min), max) : min
  }

  async #ask(name: NetworkQueryName, variables: Readonly<Record<string, unknown>>) {
    const { queries } = this.#live
    const query = (request: BinaryNode, isChange: boolean) =>
      this.#live.query(request, isChange).catch(refusedAs('NETWORK_REFUSED'))
    const isChange = 'isChange' in NETWORK_QUERIES[name]
    return await queryMex(query, name, variables, queries).catch((error: unknown) => refuse(error, isChange))
  }

  /** Asks for posts. Who does not follow the channel must say so (zapo). */
  async #page(jid: Jid, count: number, before?: number): Promise<BinaryNode> {
    const attrs = {
      type: 'jid',
      jid,
      count: String(count),
      ...(before === undefined ? {} : { before: String(before) }),
    }
    const ask = (more: Readonly<Record<string, string>>) =>
      this.#read('s.whatsapp.net', node('messages', { ...attrs, ...more }))
    return await ask({}).catch((error: unknown) => {
      const isStranger = error instanceof GatewayError && error.fields.provider_code === 403
      if (!isStranger) throw error
      return ask({ view_role: 'GUEST' })
    })
  }

  async #read(to: string, content: BinaryNode): Promise<BinaryNode> {
    return await this.#iq('get', to, 'newsletter', content)
      .catch(refusedAs('NETWORK_REFUSED'))
      .catch((error: unknown) => refuse(error, false))
  }

  #iq(type: 'get' | 'set', to: string, xmlns: string, content: BinaryNode): Promise<BinaryNode> {
    return this.#live.query(node('iq', { to, type, xmlns }, [content]))
  }

  /** Sends a stanza that the network acknowledges. The library does not look for an error there. */
  async #send(stanza: BinaryNode): Promise<void> {
    const name = `${stanza.attrs.id} ${stanza.attrs.to}`
    this.#changes.add(name)
    const answer = this.#live.query(stanza, true).catch(explained)
    const { attrs } = await answer.finally(() => this.#changes.delete(name))
    if (attrs.error === undefined) return
    const provider_code = Number(attrs.error) || 500
    const fields = { provider: 'whatsapp', provider_code }
    refuse(new GatewayError('NETWORK_REFUSED', { fields }), true)
  }
}

function muting(newsletter_id: Jid, value: 'ON' | 'OFF') {
  return { input: { newsletter_id, type: 'MUTE_FOLLOWER_ACTIVITY', value } }
}

/** Returns the address by which the network names people in channels: the LID (Baileys issue 1045), if it is known. */
function findUser(person: ChatAddress): Jid {
  return person.lid ?? toChatId(person)
}

function explained(error: unknown): never {
  let refusal = error
  try {
    refusedAs('NETWORK_REFUSED')(error)
  } catch (mapped) {
    refusal = mapped
  }
  refuse(refusal, true)
}

/** Maps a refusal to the error that says what it means for the channel. Throws other errors as they are. */
function refuse(error: unknown, isChange: boolean): never {
  if (!(error instanceof GatewayError) || error.code !== 'NETWORK_REFUSED') throw error
  const { fields } = error
  const code = Number(fields.provider_code)
  if (code === 404) throw new GatewayError('CHANNEL_NOT_FOUND', { fields, cause: error })
  if (code === 403)
    throw new GatewayError(isChange ? 'NOT_CHANNEL_ADMIN' : 'NOT_CHANNEL_FOLLOWER', { fields, cause: error })
  const reason = REASONS[code]
  const message = `WhatsApp refused it (${code})${reason === undefined ? '' : `: ${reason}`}.`
  throw new GatewayError(isChange ? 'CHANNEL_REFUSED' : 'NETWORK_REFUSED', { message, fields, cause: error })
}

function node(tag: string, attrs: Readonly<Record<string, string>>, content?: BinaryNode[]): BinaryNode {
  return { tag, attrs: { ...attrs }, ...(content === undefined ? {} : { content }) }
}
