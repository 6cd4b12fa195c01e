import { createHash } from 'node:crypto'
import type { proto } from '@whiskeysockets/baileys'
import type { InstanceId, MessageId } from '../../../../schemas/ids.js'
import { type ChatAddress, isSameChat } from '../../../../schemas/jid.js'
import type { InstanceReader } from '../../../instance/instance-reader.js'
import type { Change } from '../../../instance/ports.js'
import type { NetworkEvent } from '../../port/events.js'
import { decodeKey, encodeKey } from '../key-codec.js'
import { secretsIn } from '../secrets/message-secrets.js'

/** A copy in high definition, which has no row: its file is in the first message. */
export interface KnownCopy {
  readonly id: MessageId
  readonly chat: ChatAddress
  /** Id of the first message. */
  readonly parent: MessageId
  /** Edits that name the copy are encrypted under its own secret. */
  readonly secrets: readonly Uint8Array[]
}

const KIND = 'hd-copy'

/** Number of copies that are kept for each instance. A newer one takes the place of an older one with the same hash. Edits are taken for 20 minutes. */
const PLACES = 256

/** Returns the change that keeps a copy, for the write that gives its file to the first message; nothing if it is a message of its own. */
export function copyChanges(id: MessageId, copy: proto.IMessage, events: readonly NetworkEvent[]): readonly Change[] {
  return events.flatMap((event): Change[] => {
    if (event.type !== 'refiled') return []
    const known: KnownCopy = { id, chat: event.chat, parent: event.messageid, secrets: secretsIn(copy) }
    return [{ type: 'keys', entries: [{ kind: KIND, id: makePlace(id), value: encodeKey(known) }] }]
  })
}

/** Returns a copy of a chat by its id; null if none is known. @throws when the store cannot be read */
export async function findCopy(
  id: MessageId,
  chat: ChatAddress,
  { instance, reader }: { readonly instance: InstanceId; readonly reader: Pick<InstanceReader, 'keys'> },
): Promise<KnownCopy | null> {
  const place = makePlace(id)
  const bytes = (await reader.keys(instance, KIND, [place])).get(place)
  if (bytes === undefined) return null
  const known = decodeKey(KIND, bytes) as KnownCopy
  return known.id === id && isSameChat(known.chat, chat) ? known : null
}

function makePlace(id: string): string {
  return String(createHash('sha256').update(id).digest().readUInt16BE() % PLACES)
}
