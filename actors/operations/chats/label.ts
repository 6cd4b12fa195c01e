import { GatewayError } from '../../../schemas/errors.js'
import { knownChat } from '../../instance/known-chat.js'
import { orUnknown } from '../../instance/outcome.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

// Bound: 65,536, 5,000 values, the labels of a chat.

export type RequestedLabels =
  | { readonly kind: 'replace'; readonly labelids: readonly string[] }
  | { readonly kind: 'add' | 'remove'; readonly labelid: string }

interface LabelChatFields {
  readonly number: string
  readonly edit: RequestedLabels
}

/**
 * Changes which labels a chat has, on all devices. `editions` has one sentence for each change. Changes that were made before a later one
 * failed stay, here and at the network.
 * @throws GatewayError LABEL_NOT_FOUND
 */
export const labelChatOperation = operation('labelChat', {
  repeat: true,
  example: { editions: [] },
  async run(context: InstanceContext, { number, edit }: LabelChatFields) {
    const { id, journal, reader } = context
    const connection = await context.connection()
    const { address: chat, record } = await knownChat(id, number, reader)
    const has = JSON.parse(String(record.wa_label)) as string[]
    await needLabels(context, has, edit)
    const changes = composeLabelChanges(has, edit)
    for (const { labelid, isSet } of changes) {
      await orUnknown(() => connection.settings.change({ kind: 'chatLabel', chat, labelid, isSet }))
      await journal.write([{ type: 'chat.label', chat, labelid, isSet }])
    }
    return { editions: changes.map(({ labelid, isSet }) => `Label ${labelid} ${isSet ? 'added' : 'removed'}`) }
  },
})

async function needLabels(
  { id, reader }: InstanceContext,
  has: readonly string[],
  edit: RequestedLabels,
): Promise<void> {
  const known = (await reader.labels(id)).map(({ labelid }) => labelid)
  const named = edit.kind === 'replace' ? edit.labelids : [edit.labelid]
  const unknown = named.find((labelid) => !known.includes(labelid) && !has.includes(labelid))
  if (unknown === undefined) return
  const field = edit.kind === 'replace' ? 'labelids' : `${edit.kind}_labelid`
  throw new GatewayError('LABEL_NOT_FOUND', { details: [{ field, why: `${unknown} is not a label` }] })
}

interface LabelChange {
  readonly labelid: string
  readonly isSet: boolean
}

/** Lists the removals first. */
function composeLabelChanges(has: readonly string[], edit: RequestedLabels): readonly LabelChange[] {
  switch (edit.kind) {
    case 'replace':
      return [
        ...has.filter((labelid) => !edit.labelids.includes(labelid)).map((labelid) => ({ labelid, isSet: false })),
        ...[...new Set(edit.labelids)]
          .filter((labelid) => !has.includes(labelid))
          .map((labelid) => ({ labelid, isSet: true })),
      ]
    case 'add':
      return has.includes(edit.labelid) ? [] : [{ labelid: edit.labelid, isSet: true }]
    case 'remove':
      return has.includes(edit.labelid) ? [{ labelid: edit.labelid, isSet: false }] : []
    default:
      return edit satisfies never
  }
}
