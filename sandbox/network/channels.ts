/** Channels: who owns, administers and follows them, and the queries about them, with the refusals of the network. */
import { createHash, randomBytes } from 'node:crypto'
import { child, type Node } from '../wire/nodes.js'
import type { ChannelPost } from './channel-posts.js'
import { IqError } from './iq-error.js'
import type { Account, Device, Session } from './model.js'
import type { Network } from './network.js'

type Variables = Readonly<Record<string, unknown>>
type Answer = Readonly<Record<string, unknown>>
type Query = (network: Network, session: Session, variables: Variables) => Answer

export interface Channel {
  readonly jid: string
  readonly invite: string
  readonly createdSeconds: number
  name: string
  description: string
  /** JPEG in base64; empty: none. */
  picture: string
  reactionCodes: string
  state: string
  owner: Account
  readonly admins: Set<Account>
  readonly invited: Set<Account>
  readonly followers: Set<Account>
  readonly muted: Set<Account>
  readonly posts: ChannelPost[]
  /** Devices that get live updates, until that time. */
  readonly live: Map<Device, number>
  /** Code with which `follow` is refused: 405 closed, 419 limit reached, 451 not in this country. */
  followRefusal: number | undefined
  nextServerId: number
}

/** Notice of the terms that an account accepts before it creates a channel. */
const TERMS = '20601218'
const INVITED_FOR_SECONDS = 7 * 86_400
const NAME_MAX = 100
/** Variables without which the present numbers of two queries are refused. */
const WANTED: Readonly<Record<string, readonly string[]>> = {
  '27456920720571478': ['fetch_wamo_sub', 'fetch_status_metadata', 'fetch_pinned_messages'],
  '25399611239711790': ['fetch_wamo_sub', 'fetch_status_metadata'],
}

/** By the number of the query. Other numbers are retired, and answered with 400. */
export const channelQueries: Readonly<Record<string, Query>> = {
  '25149874324715067': create,
  '24250201037901610': update,
  '27456920720571478': info,
  '6563316087068696': info,
  '25399611239711790': followed,
  '6388546374527196': followed,
  '24404358912487870': follow,
  '9767147403369991': unfollow,
  '31938993655691868': mute,
  '30062808666639665': remove,
  '9387141988078609': inviteAdmin,
  '9580828702035549': acceptAdmin,
  '9656078347839416': revokeInvite,
  '9880997548630971': demoteAdmin,
  '9546742745432473': transfer,
  '26301059626252132': search,
  '26125047313831973': directory,
  '25806748772361516': recommended,
}

/** @throws IqError 400 if variables of the query are missing */
export function checkVariables(number: string, variables: Variables): void {
  if ((WANTED[number] ?? []).some((name) => variables[name] === undefined)) throw new IqError(400, 'Bad Request')
}

/** `xmlns=tos`: an account accepts a notice. */
export function handleTerms(_network: Network, { device }: Session, iq: Node): Node[] {
  const { id = '' } = child(iq, 'notice')?.attrs ?? {}
  if (id === '') throw new IqError(400, 'bad-request')
  device.account.acceptedNotices.add(id)
  return []
}

export function newChannel(network: Network, owner: Account, name: string, description = ''): Channel {
  const number = String(120_363_000_000_000_000n + BigInt(network.channels.size + 500_001))
  const channel: Channel = {
    ...{ jid: `${number}@newsletter`, invite: `0029Va${randomBytes(8).toString('hex')}`, name, description },
    ...{ picture: '', reactionCodes: 'all', state: 'ACTIVE', owner, nextServerId: 100 },
    createdSeconds: Math.floor(Date.now() / 1000),
    admins: new Set(),
    invited: new Set(),
    followers: new Set(),
    muted: new Set(),
    posts: [],
    live: new Map(),
    followRefusal: undefined,
  }
  network.channels.set(channel.jid, channel)
  return channel
}

export function findRole(channel: Channel, account: Account): 'OWNER' | 'ADMIN' | 'SUBSCRIBER' | 'GUEST' {
  if (channel.owner === account) return 'OWNER'
  if (channel.admins.has(account)) return 'ADMIN'
  return channel.followers.has(account) ? 'SUBSCRIBER' : 'GUEST'
}

/** Everybody who gets the posts. */
export function listReaders({ owner, admins, followers }: Channel): ReadonlySet<Account> {
  return new Set([owner, ...admins, ...followers])
}

function create(network: Network, { device: { account } }: Session, variables: Variables): Answer {
  const { name, description, picture } = readObject(variables.input)
  if (!account.acceptedNotices.has(TERMS)) throw new IqError(403, 'Forbidden')
  if (typeof name !== 'string' || name.length === 0 || name.length > NAME_MAX) throw new IqError(400, 'Bad Request')
  const channel = newChannel(network, account, name, typeof description === 'string' ? description : '')
  if (typeof picture === 'string') channel.picture = picture
  return { xwa2_newsletter_create: describe(channel, account) }
}

function update(network: Network, { device: { account } }: Session, variables: Variables): Answer {
  const channel = managed(network, account, variables)
  const { name, description, picture, settings } = readObject(variables.updates)
  if (name !== undefined && (typeof name !== 'string' || name === '')) throw new IqError(400, 'Bad Request')
  if (typeof name === 'string') channel.name = name
  if (typeof description === 'string') channel.description = description
  if (typeof picture === 'string') channel.picture = picture
  // As the library writes it with each change: what the owner has chosen is gone.
  if (settings === null) channel.reactionCodes = 'all'
  const { value } = readObject(readObject(settings).reaction_codes)
  if (typeof value === 'string') channel.reactionCodes = value
  return { xwa2_newsletter_update: describe(channel, account) }
}

function info(network: Network, { device: { account } }: Session, variables: Variables): Answer {
  const { key, type } = readObject(variables.input)
  const channel =
    type === 'JID'
      ? network.channels.get(String(key))
      : [...network.channels.values()].find(({ invite }) => invite === key)
  return { xwa2_newsletter: channel === undefined ? null : describe(channel, account) }
}

function followed({ channels }: Network, { device: { account } }: Session): Answer {
  const own = [...channels.values()].filter((one) => one.state !== 'DELETED' && findRole(one, account) !== 'GUEST')
  return { xwa2_newsletter_subscribed: own.map((channel) => describe(channel, account)) }
}

function follow(network: Network, { device: { account } }: Session, variables: Variables): Answer {
  const channel = named(network, variables)
  if (channel.followRefusal !== undefined) throw new IqError(channel.followRefusal, 'refused')
  channel.followers.add(account)
  return { xwa2_newsletter_join_v2: { id: channel.jid, state: { type: channel.state } } }
}

function unfollow(network: Network, { device: { account } }: Session, variables: Variables): Answer {
  const channel = named(network, variables)
  if (channel.owner === account) throw new IqError(403, 'Forbidden')
  if (!channel.followers.delete(account)) throw new IqError(400, 'Bad Request')
  return { xwa2_newsletter_leave_v2: { id: channel.jid, state: { type: channel.state } } }
}

function mute(network: Network, { device: { account } }: Session, variables: Variables): Answer {
  const input = readObject(variables.input)
  const channel = named(network, input)
  if (findRole(channel, account) === 'GUEST') throw new IqError(403, 'Forbidden')
  if (input.value === 'ON') channel.muted.add(account)
  else channel.muted.delete(account)
  return { xwa2_newsletter_update_user_setting: { id: channel.jid } }
}

function remove(network: Network, { device: { account } }: Session, variables: Variables): Answer {
  const channel = owned(network, account, variables)
  channel.state = 'DELETED'
  return { xwa2_newsletter_delete_v2: { id: channel.jid, state: { type: channel.state } } }
}

function inviteAdmin(network: Network, { device: { account } }: Session, variables: Variables): Answer {
  const channel = owned(network, account, variables)
  channel.invited.add(person(network, variables))
  const invite_expiration_time = String(Math.floor(Date.now() / 1000) + INVITED_FOR_SECONDS)
  return { xwa2_newsletter_admin_invite_create: { id: channel.jid, invite_expiration_time } }
}

function acceptAdmin(network: Network, { device: { account } }: Session, variables: Variables): Answer {
  const channel = named(network, variables)
  if (!channel.invited.delete(account)) throw new IqError(403, 'Forbidden')
  channel.admins.add(account)
  return { xwa2_newsletter_admin_invite_accept: { id: channel.jid } }
}

function revokeInvite(network: Network, { device: { account } }: Session, variables: Variables): Answer {
  const channel = owned(network, account, variables)
  if (!channel.invited.delete(person(network, variables))) throw new IqError(400, 'Bad Request')
  return { xwa2_newsletter_admin_invite_revoke: { id: channel.jid } }
}

/** An administrator steps back, or the owner removes one. */
function demoteAdmin(network: Network, { device: { account } }: Session, variables: Variables): Answer {
  const channel = named(network, variables)
  const admin = person(network, variables)
  if (channel.owner !== account && admin !== account) throw new IqError(403, 'Forbidden')
  if (!channel.admins.delete(admin)) throw new IqError(400, 'Bad Request')
  channel.followers.add(admin)
  return { xwa2_newsletter_admin_demote: { id: channel.jid } }
}

function transfer(network: Network, { device: { account } }: Session, variables: Variables): Answer {
  const channel = owned(network, account, variables)
  const next = person(network, variables)
  if (!channel.admins.delete(next)) throw new IqError(400, 'Bad Request')
  channel.owner = next
  channel.admins.add(account)
  return { xwa2_newsletter_change_owner: { id: channel.jid } }
}

function search(network: Network, { device: { account } }: Session, variables: Variables): Answer {
  const { search_text: text } = readObject(variables.input)
  const isMatch = ({ name }: Channel) => name.toLowerCase().includes(String(text).toLowerCase())
  return { xwa2_newsletters_directory_search: page(network, account, variables, isMatch) }
}

function directory(network: Network, { device: { account } }: Session, variables: Variables): Answer {
  return { xwa2_newsletters_directory_list: page(network, account, variables, () => true) }
}

function recommended(network: Network, { device: { account } }: Session, variables: Variables): Answer {
  return { xwa2_newsletters_recommended: page(network, account, variables, () => true) }
}

function page(network: Network, account: Account, variables: Variables, isMatch: (channel: Channel) => boolean) {
  const { limit, start_cursor: cursor } = readObject(variables.input)
  const found = [...network.channels.values()].filter((one) => one.state === 'ACTIVE' && isMatch(one))
  const from = Number(cursor ?? 0)
  const end = from + Number(limit ?? 20)
  return {
    page_info: { hasNextPage: end < found.length, hasPreviousPage: from > 0, endCursor: String(end) },
    result: found.slice(from, end).map((channel) => describe(channel, account)),
  }
}

/** @throws IqError 404 for a channel that does not exist */
function named({ channels }: Network, { newsletter_id: jid }: Variables): Channel {
  const channel = channels.get(String(jid))
  if (channel === undefined || channel.state === 'DELETED') throw new IqError(404, 'Not Found')
  return channel
}

function managed(network: Network, account: Account, variables: Variables): Channel {
  const channel = named(network, variables)
  if (channel.owner !== account && !channel.admins.has(account)) throw new IqError(403, 'Forbidden')
  return channel
}

function owned(network: Network, account: Account, variables: Variables): Channel {
  const channel = named(network, variables)
  if (channel.owner !== account) throw new IqError(403, 'Forbidden')
  return channel
}

/** Finds a person by LID: by a number the queries know nobody (Baileys issue 1045). */
function person({ directory: accounts }: Network, { user_id: jid }: Variables): Account {
  const found = accounts.resolve(String(jid))
  if (found?.space !== 'lid') throw new IqError(400, 'Bad Request')
  return found.account
}

function describe(channel: Channel, account: Account): Answer {
  const { jid, invite, name, description, picture, reactionCodes, state } = channel
  const text = (value: string) => ({ text: value, id: '1', update_time: '1' })
  const path = `/m1/${createHash('sha256').update(picture).digest('hex').slice(0, 20)}.jpg`
  return {
    id: jid,
    state: { type: state },
    thread_metadata: {
      creation_time: String(channel.createdSeconds),
      invite,
      name: text(name),
      description: text(description),
      // Counts come as text, and no picture as null.
      subscribers_count: String(channel.followers.size),
      verification: 'UNVERIFIED',
      picture: picture === '' ? null : { id: '1', type: 'IMAGE', direct_path: path },
      preview: null,
      settings: { reaction_codes: { value: reactionCodes } },
    },
    viewer_metadata: { mute: channel.muted.has(account) ? 'ON' : 'OFF', role: findRole(channel, account) },
  }
}

function readObject(value: unknown): Variables {
  return typeof value === 'object' && value !== null ? (value as Variables) : {}
}
