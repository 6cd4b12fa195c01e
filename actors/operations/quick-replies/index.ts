import { countBytes, phoneQuickReplyLimit, refuseBeyond } from '../../../schemas/record-limits.js'
import type { PhoneQuickReplyFields } from '../../../schemas/stored-fields.js'
import { orUnknown } from '../../instance/outcome.js'
import { type InstanceContext, perInstance } from '../context.js'
import { operation } from '../operation.js'

interface EditQuickReplyFields {
  /** Null: a new one. */
  readonly id: string | null
  readonly shortcut: string
  readonly text: string
  readonly isDeleted: boolean
}

const saving = perInstance(() => ({ newestId: 0, last: Promise.resolve() as Promise<unknown> }))

/** Creates, changes or deletes a quick reply of the phone. @throws GatewayError RECORD_LIMIT */
const editQuickReply = operation('editQuickReply', {
  // A second creation would make a second quick reply.
  repeat: (command: EditQuickReplyFields) => (command.id === null ? null : command),
  example: null,
  async run(context: InstanceContext, { id, shortcut, text, isDeleted }: EditQuickReplyFields) {
    // All wait for the connection at once, not one after the other.
    await context.connection()
    if (id !== null && isDeleted) return await change(context, { id, shortcut, text, isDeleted })
    // One is saved after another, so that many at once do not exceed the limit.
    const turns = saving(context)
    const saved = turns.last.then(() => save(context, id, shortcut, text))
    turns.last = saved.catch(() => {})
    return await saved
  },
})

async function save(context: InstanceContext, id: string | null, shortcut: string, text: string): Promise<null> {
  const all = await context.reader.quickReplies(context.id)
  const bytes = all.reduce((sum, one) => sum + one.bytes, 0)
  const formerBytes = all.find((one) => one.id === id)?.bytes ?? null
  refuseBeyond(phoneQuickReplyLimit, { count: all.length, bytes, formerBytes }, countBytes([shortcut, text]), 'text')
  const chosenId =
    id ??
    newId(
      context,
      all.map((one) => one.id),
    )
  return await change(context, { id: chosenId, shortcut, text, isDeleted: false })
}

async function change(context: InstanceContext, quickReply: PhoneQuickReplyFields): Promise<null> {
  const connection = await context.connection()
  await orUnknown(() => connection.settings.change({ kind: 'quickReply', quickReply }))
  await context.journal.write([{ type: 'quickReply', quickReply }])
  return null
}

/** Chooses the present second, or a later one that is free (`chatModificationToAppPatch` of Baileys names quick replies so). */
function newId(context: InstanceContext, taken: readonly string[]): string {
  const turns = saving(context)
  const seconds = taken.map(Number).filter(Number.isSafeInteger)
  turns.newestId = Math.max(Math.floor(Date.now() / 1000), turns.newestId + 1, ...seconds.map((one) => one + 1))
  return String(turns.newestId)
}

export const quickReplyOperations = [editQuickReply] as const
