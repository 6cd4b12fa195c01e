/** `/groups…`: making groups, and changing them as a member. */
import { changeGroup } from '../network/group-changes.js'
import { announceGroup, createGroup } from '../network/groups.js'
import type { Network } from '../network/network.js'
import { findRecipient } from '../phones/outbox.js'
import { PhoneError } from '../phones/phone-error.js'
import type { Roster } from '../phones/roster.js'
import { optionalFlag, optionalNumber, optionalText, requiredText, textList } from './fields.js'
import { readAddressing } from './on-phone.js'
import type { Route } from './server.js'

export function groupRoutes(network: Network, phones: Roster): Route[] {
  return [
    {
      method: 'PATCH',
      path: '/groups/:jid',
      handle({ parameters, body }) {
        const author = phones.get(requiredText(body, 'by'))
        const group = network.groups.get(parameters.jid ?? '')
        if (!group?.members.has(author.account)) throw new PhoneError(404, 'The phone is in no such group.')
        group.addressing = readAddressing(body) ?? group.addressing
        const accounts = (field: string) => textList(body, field).map((number) => findRecipient(author, number))
        changeGroup(network, group, author.account, {
          subject: optionalText(body, 'subject'),
          announcement: optionalFlag(body, 'announce'),
          locked: optionalFlag(body, 'locked'),
          approval: optionalFlag(body, 'approval'),
          description: optionalText(body, 'description'),
          ephemeralSeconds: optionalNumber(body, 'ephemeralSeconds'),
          ask: accounts('ask'),
          add: accounts('add'),
          remove: accounts('remove'),
          promote: accounts('promote'),
          demote: accounts('demote'),
        })
        return describeGroup(group)
      },
    },
    { method: 'GET', path: '/groups', handle: () => [...network.groups.values()].map(describeGroup) },
    {
      method: 'POST',
      path: '/groups',
      handle({ body }) {
        const owner = phones.get(requiredText(body, 'owner'))
        const members = textList(body, 'members').map((number) => findRecipient(owner, number))
        const addressing = optionalText(body, 'addressing') === 'pn' ? 'pn' : 'lid'
        const group = createGroup(network, owner.account, requiredText(body, 'subject'), members, addressing)
        announceGroup(network, group)
        return describeGroup(group)
      },
    },
  ]
}

function describeGroup(group: Parameters<typeof announceGroup>[1]) {
  const { jid, subject, addressing, announcement, locked, approval, memberAddMode, description, inviteCode } = group
  const members = [...group.members].map(([account, role]) => ({ number: account.phoneNumber, role }))
  const requests = [...group.requests].map(({ phoneNumber }) => phoneNumber)
  const picture = group.picture?.toString('base64') ?? ''
  const { ephemeralSeconds } = group
  const settings = { announcement, locked, approval, memberAddMode, ephemeralSeconds }
  const community = { isParent: group.isParent, parent: group.parent?.jid ?? '' }
  return { jid, subject, addressing, members, ...settings, ...community, description, inviteCode, requests, picture }
}
