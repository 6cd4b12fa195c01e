/** `/channels…`: making channels, and what their owners, followers and the network do with them. */
import { proto } from '@whiskeysockets/baileys'
import { change as changePost, post, shownPost, tellLive } from '../network/channel-posts.js'
import { type Channel, newChannel } from '../network/channels.js'
import type { Network } from '../network/network.js'
import { makeMessageId } from '../phones/outbox.js'
import { PhoneError } from '../phones/phone-error.js'
import type { Roster } from '../phones/roster.js'
import { node } from '../wire/nodes.js'
import { optionalNumber, optionalText, requiredText, textList } from './fields.js'
import type { ControlRequest, Route } from './server.js'

const POSTS_MAX = 10_000

export function channelRoutes(network: Network, phones: Roster): Route[] {
  const found = ({ parameters }: ControlRequest): Channel => {
    const channel = network.channels.get(parameters.jid ?? '')
    if (channel === undefined) throw new PhoneError(404, 'There is no such channel.')
    return channel
  }
  return [
    {
      method: 'POST',
      path: '/channels',
      handle({ body }) {
        const { account } = phones.get(requiredText(body, 'owner'))
        const channel = newChannel(network, account, requiredText(body, 'name'), optionalText(body, 'description'))
        for (const number of textList(body, 'followers')) channel.followers.add(phones.get(number).account)
        return describeChannel(channel)
      },
    },
    { method: 'GET', path: '/channels', handle: () => [...network.channels.values()].map(describeChannel) },
    { method: 'GET', path: '/channels/:jid', handle: (request) => describeChannel(found(request)) },
    { method: 'PATCH', path: '/channels/:jid', handle: (request) => change(found(request), request, phones) },
    {
      method: 'POST',
      path: '/channels/:jid/posts',
      handle: (request) => writePosts(network, found(request), request),
    },
    {
      method: 'POST',
      path: '/channels/:jid/changes',
      handle: (request) => writeChange(network, found(request), request),
    },
    {
      method: 'POST',
      path: '/channels/:jid/counts',
      handle: (request) => setCounts(network, found(request), request, phones),
    },
    {
      method: 'PUT',
      path: '/channel-updates',
      handle({ body }) {
        network.liveSeconds = optionalNumber(body, 'seconds')
      },
    },
    { method: 'GET', path: '/channel-updates', handle: () => ({ requests: network.liveRequests }) },
  ]
}

function change(channel: Channel, { body }: ControlRequest, phones: Roster) {
  channel.state = optionalText(body, 'state') ?? channel.state
  if ('followRefusal' in body) channel.followRefusal = optionalNumber(body, 'followRefusal')
  for (const number of textList(body, 'admins')) channel.admins.add(phones.get(number).account)
  for (const number of textList(body, 'invited')) channel.invited.add(phones.get(number).account)
  for (const number of textList(body, 'followers')) channel.followers.add(phones.get(number).account)
  return describeChannel(channel)
}

/** Writes posts of the owner: `text`, `message` (its JSON) or `bytes` (base64, whatever they are), `count` times; under `id`, if one is given. */
function writePosts(network: Network, channel: Channel, { body }: ControlRequest) {
  const phone = channel.owner.devices.get(0)
  if (phone === undefined) throw new PhoneError(409, 'The owner has no phone.')
  const count = Math.min(optionalNumber(body, 'count') ?? 1, POSTS_MAX)
  const type = optionalText(body, 'type') ?? 'text'
  const written = Array.from({ length: count }, (_, index) => {
    const id = optionalText(body, 'id') ?? makeMessageId()
    const plaintext = node(
      'plaintext',
      { mediatype: optionalText(body, 'mediatype') },
      createContent(body, index, count),
    )
    return post(network, phone, channel, node('message', { id, to: channel.jid, type }, [plaintext]))
  })
  return written.map(({ id, serverId }) => ({ id, serverid: serverId }))
}

/** Edits a post of the owner (`text`, `message` or `bytes`), or deletes it. */
function writeChange(network: Network, channel: Channel, { body }: ControlRequest) {
  const phone = channel.owner.devices.get(0)
  if (phone === undefined) throw new PhoneError(409, 'The owner has no phone.')
  const isEdit = ['text', 'message', 'bytes'].some((field) => body[field] !== undefined)
  const plaintext = node('plaintext', {}, isEdit ? createContent(body, 0, 1) : Buffer.alloc(0))
  const attributes = { id: requiredText(body, 'id'), to: channel.jid, type: 'text', edit: isEdit ? '3' : '8' }
  changePost(network, phone, channel, node('message', attributes, [plaintext]))
}

function createContent(body: Record<string, unknown>, index: number, count: number): Buffer {
  const bytes = optionalText(body, 'bytes')
  if (bytes !== undefined) return Buffer.from(bytes, 'base64')
  const text = optionalText(body, 'text')
  const conversation = text === undefined ? undefined : count === 1 ? text : `${text} ${index}`
  const message = proto.Message.fromObject((body.message as object | undefined) ?? { conversation })
  return Buffer.from(proto.Message.encode(message).finish())
}

/** Sets `views` of a post, and reactions to it (`emoji` of the phones `by`). Those who asked for live updates hear of it. */
function setCounts(network: Network, channel: Channel, { body }: ControlRequest, phones: Roster) {
  const serverId = optionalNumber(body, 'serverid')
  const posts = channel.posts.filter((one) => serverId === undefined || one.serverId === serverId)
  const emoji = optionalText(body, 'emoji')
  for (const one of posts) {
    one.views = optionalNumber(body, 'views') ?? one.views
    if (emoji !== undefined) for (const by of textList(body, 'by')) one.reactions.set(phones.get(by).account, emoji)
  }
  tellLive(network, channel, ...posts)
}

function describeChannel(channel: Channel) {
  const { jid, invite, name, description, picture, reactionCodes, state, owner, admins, invited, followers } = channel
  const numbers = (accounts: ReadonlySet<typeof owner>) => [...accounts].map(({ phoneNumber }) => phoneNumber)
  return {
    ...{ jid, invite, name, description, hasPicture: picture !== '', reactionCodes, state },
    ...{ owner: owner.phoneNumber },
    ...{ admins: numbers(admins), invited: numbers(invited), followers: numbers(followers) },
    posts: channel.posts.map(shownPost),
  }
}
