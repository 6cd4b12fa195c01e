import { GatewayError } from '../../../schemas/errors.js'
import { orUnknown } from '../../instance/outcome.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

interface EditLabelFields {
  /** Null: the next free one, for a new label. */
  readonly labelid: string | null
  /** A value that is not given stays. A new label needs a name. */
  readonly name?: string
  readonly color?: number
  readonly isDeleted: boolean
}

/** Creates, changes or deletes a label, on all devices. @throws GatewayError LABEL_NOT_FOUND, INVALID_REQUEST */
const editLabel = operation('editLabel', {
  // A second creation would make a second label.
  repeat: (command: EditLabelFields) => (command.labelid === null ? null : command),
  example: { labelid: '1', isNew: true },
  async run(context: InstanceContext, { labelid, name, color, isDeleted }: EditLabelFields) {
    const connection = await context.connection()
    const all = await context.reader.labels(context.id)
    const former = all.find((one) => one.labelid === labelid)
    if (former === undefined && isDeleted) throw new GatewayError('LABEL_NOT_FOUND')
    const label = {
      labelid: labelid ?? nextId(all.map((one) => one.labelid)),
      name: name ?? former?.name ?? '',
      color: color ?? former?.color ?? 0,
      isDeleted,
    }
    if (label.name === '')
      throw new GatewayError('INVALID_REQUEST', {
        details: [{ field: 'name', why: 'is missing, and there is no such label yet' }],
      })
    await orUnknown(() => connection.settings.change({ kind: 'label', label }))
    await context.journal.write([{ type: 'label', label }])
    return { labelid: label.labelid, isNew: former === undefined }
  },
})

/** Numbers a new label as phones do. */
function nextId(ids: readonly string[]): string {
  return String(Math.max(0, ...ids.map(Number).filter(Number.isSafeInteger)) + 1)
}

/** Reads the labels of the account, and to which chats they belong, again. `isWhole`: all of them, and not only what changed. */
const refreshLabels = operation('refreshLabels', {
  repeat: true,
  example: { isWhole: true },
  async run(context: InstanceContext, { isWhole }: { readonly isWhole: boolean }) {
    const connection = await context.connection()
    await orUnknown(() => connection.settings.refreshLabels(isWhole))
    await context.journal.settled()
    return { isWhole }
  },
})

export const labelOperations = [editLabel, refreshLabels] as const
