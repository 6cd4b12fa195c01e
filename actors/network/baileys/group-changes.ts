import type { BinaryNode } from '@whiskeysockets/baileys'
import { bareJid, userOf } from '../../../schemas/jid.js'
import type { ChatFields } from '../../../schemas/stored-fields.js'
import type { ChatChange } from '../port/events.js'
import { children } from './child-nodes.js'

type Own = { jid: string; lid: string | null }

/**
 * Reads changes of the chat from a notification about a group (`w:gp2`): its name, who may write, the role of the account. Returns null if
 * there is none. Forms: `group.go` of whatsmeow, `parseGroupChange`.
 */
export function translateGroupChange(notification: BinaryNode, own: Own): ChatChange | null {
  const { from } = notification.attrs
  if (from === undefined || !from.endsWith('@g.us')) return null
  const set: ChatFields = {}
  for (const change of children(notification)) Object.assign(set, fieldsOf(change, own))
  return Object.keys(set).length === 0 ? null : { chat: { group: bareJid(from) }, set: { wa_isGroup: true, ...set } }
}

function fieldsOf(change: BinaryNode, own: Own): ChatFields {
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
  const users = [userOf(own.jid), ...(own.lid === null ? [] : [userOf(own.lid)])]
  return [attrs.jid, attrs.lid, attrs.phone_number].some((jid) => jid !== undefined && users.includes(userOf(jid)))
}
