/** Names of Evolution API's events: as settings name them, as bodies name them, and our kinds behind them. */
import type { EventKind } from '../../generated.js'

// Bound: 100, the name of an event.

interface EvolutionEvent {
  /** As `webhook/set` names it. */
  readonly name: string
  /** As bodies name it. */
  readonly wire: string
  /** Kinds of our events from which it is made. Empty: accepted in settings, and never emitted. */
  readonly kinds: readonly EventKind[]
}

export const evolutionEventNames: readonly EvolutionEvent[] = [
  { name: 'MESSAGES_UPSERT', wire: 'messages.upsert', kinds: ['messages'] },
  { name: 'SEND_MESSAGE', wire: 'send.message', kinds: ['messages'] },
  { name: 'MESSAGES_UPDATE', wire: 'messages.update', kinds: ['messages_update'] },
  { name: 'MESSAGES_EDITED', wire: 'messages.edited', kinds: ['messages_update'] },
  { name: 'MESSAGES_DELETE', wire: 'messages.delete', kinds: ['messages_update'] },
  { name: 'MESSAGES_SET', wire: 'messages.set', kinds: ['history'] },
  { name: 'CONNECTION_UPDATE', wire: 'connection.update', kinds: ['connection'] },
  { name: 'QRCODE_UPDATED', wire: 'qrcode.updated', kinds: ['connection'] },
  { name: 'STATUS_INSTANCE', wire: 'status.instance', kinds: ['connection'] },
  { name: 'LOGOUT_INSTANCE', wire: 'logout.instance', kinds: ['connection'] },
  { name: 'CONTACTS_UPSERT', wire: 'contacts.upsert', kinds: ['contacts'] },
  { name: 'CONTACTS_UPDATE', wire: 'contacts.update', kinds: ['contacts'] },
  { name: 'CHATS_UPSERT', wire: 'chats.upsert', kinds: ['chats'] },
  { name: 'CHATS_UPDATE', wire: 'chats.update', kinds: ['chats'] },
  { name: 'PRESENCE_UPDATE', wire: 'presence.update', kinds: ['presence'] },
  { name: 'GROUPS_UPSERT', wire: 'groups.upsert', kinds: ['groups'] },
  { name: 'GROUP_UPDATE', wire: 'groups.update', kinds: ['groups'] },
  { name: 'GROUP_PARTICIPANTS_UPDATE', wire: 'group-participants.update', kinds: ['groups'] },
  { name: 'LABELS_EDIT', wire: 'labels.edit', kinds: ['labels'] },
  { name: 'LABELS_ASSOCIATION', wire: 'labels.association', kinds: ['chat_labels'] },
  { name: 'CALL', wire: 'call', kinds: ['call'] },
  ...[
    ['APPLICATION_STARTUP', 'application.startup'],
    ['INSTANCE_CREATE', 'instance.create'],
    ['INSTANCE_DELETE', 'instance.delete'],
    ['REMOVE_INSTANCE', 'remove.instance'],
    ['SEND_MESSAGE_UPDATE', 'send.message.update'],
    ['CONTACTS_SET', 'contacts.set'],
    ['CHATS_SET', 'chats.set'],
    ['CHATS_DELETE', 'chats.delete'],
    ['TYPEBOT_START', 'typebot.start'],
    ['TYPEBOT_CHANGE_STATUS', 'typebot.change-status'],
    ['NEW_TOKEN', 'new.jwt'],
  ].map(([name = '', wire = '']) => ({ name, wire, kinds: [] })),
]

const BY_NAME = new Map(evolutionEventNames.map((event) => [event.name, event]))
const BY_WIRE = new Map(evolutionEventNames.map((event) => [event.wire, event]))

/** Returns the settled name of an event, from the spellings that clients use; undefined if it is not known. */
export function evolutionEventName(given: string): string | undefined {
  const name = given.trim().toUpperCase().replace(/[.-]/g, '_')
  const settled = name === 'GROUPS_UPDATE' ? 'GROUP_UPDATE' : name
  return BY_NAME.has(settled) ? settled : undefined
}

/** Returns the name in settings of an event in a body. */
export function nameOfWire(wire: string): string {
  return BY_WIRE.get(wire)?.name ?? ''
}

/** Returns our kinds behind these events; of all if none is named. */
export function kindsOfEvolution(names: readonly string[]): readonly EventKind[] {
  const all = names.length === 0 ? evolutionEventNames : names.map((name) => BY_NAME.get(name))
  return [...new Set(all.flatMap((event) => event?.kinds ?? []))]
}
