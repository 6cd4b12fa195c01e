import { GatewayError } from '../../../schemas/errors.js'
import type {
  EditQuickReplyReply,
  EditQuickReplyRequest,
  ListQuickRepliesReply,
  QuickReply,
} from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { QuickReplyRow } from '../../../schemas/ports/records.js'
import type { ApiPorts } from '../../ports.js'
import { instanceRoute, type Route } from '../../route.js'
import { changeErrors } from '../change-failed.js'

function quickReplyRecord(row: QuickReplyRow, owner: string): QuickReply {
  const { id, isOfPhone, shortcut, type, text, file, docName, created, updated } = row
  return {
    id,
    shortCut: shortcut,
    type: type as QuickReply['type'],
    text,
    file,
    docName,
    onWhatsApp: isOfPhone,
    owner,
    created: created.toISOString(),
    updated: updated.toISOString(),
  }
}

const editQuickReply = instanceRoute<EditQuickReplyRequest>({
  method: 'POST',
  path: '/quickreply/edit',
  name: 'editQuickReply',
  area: 'Quick reply',
  scope: 'token',
  summary: 'Create, change or delete a quick reply',
  schema: 'quickreply/edit.json',
  idempotent: 'kept',
  errors: ['QUICK_REPLY_NOT_FOUND', 'QUICK_REPLY_OF_PHONE', 'RECORD_LIMIT', ...changeErrors],
  async handle({ instance, body }, { ports }): Promise<EditQuickReplyReply> {
    const { id = '', delete: isDeleted = false, onWhatsApp } = body
    const former = id === '' ? null : await ports.quickReplies.find(instance.id, id)
    if (former === null && id !== '') throw new GatewayError('QUICK_REPLY_NOT_FOUND')
    if (former === null && isDeleted) throw invalidField('id', 'is missing')
    // Changes the phone's reply only when the body says so.
    if (former?.isOfPhone === true && onWhatsApp !== true) throw new GatewayError('QUICK_REPLY_OF_PHONE')
    if (former?.isOfPhone === false && onWhatsApp === true) throw invalidField('onWhatsApp', 'is false of this one')
    if (isDeleted) await remove(instance.id, former as QuickReplyRow, ports)
    else await save(instance.id, former, body, ports)
    const rows = await ports.quickReplies.list(instance.id)
    return {
      message: `Quick reply ${isDeleted ? 'deleted' : former === null ? 'created' : 'updated'}`,
      quickReplies: rows.map((row) => quickReplyRecord(row, instance.owner)),
    }
  },
})

async function remove(instance: InstanceId, { id, isOfPhone, shortcut, text }: QuickReplyRow, ports: ApiPorts) {
  if (!isOfPhone) await ports.quickReplies.delete(instance, id)
  else await ports.router.ask(instance, { type: 'editQuickReply', id, shortcut, text, isDeleted: true })
}

/** Saves the quick reply. Fields that are left out stay. */
async function save(
  instance: InstanceId,
  former: QuickReplyRow | null,
  body: EditQuickReplyRequest,
  ports: ApiPorts,
): Promise<void> {
  const { shortCut: shortcut = former?.shortcut, type = former?.type, text = former?.text ?? '' } = body
  const { file = former?.file ?? '', docName = former?.docName ?? '' } = body
  if (shortcut === undefined) throw invalidField('shortCut', 'is missing')
  if (type === undefined) throw invalidField('type', 'is missing')
  if (type === 'text' && text === '') throw invalidField('text', 'is missing')
  if (body.onWhatsApp === true) {
    if (type !== 'text') throw invalidField('type', 'must be text on the phone')
    await ports.router.ask(instance, {
      type: 'editQuickReply',
      id: former?.id ?? null,
      shortcut,
      text,
      isDeleted: false,
    })
    return
  }
  if (type !== 'text' && file === '') throw invalidField('file', 'is missing')
  await ports.quickReplies.save(instance, former?.id ?? null, { shortcut, type, text, file, docName })
}

const listQuickReplies = instanceRoute({
  method: 'GET',
  path: '/quickreply/showall',
  isSearch: true,
  name: 'listQuickReplies',
  area: 'Quick reply',
  scope: 'read',
  summary: 'List the quick replies, stored here and on the phone',
  schema: 'quickreply/show-all.json',
  errors: [],
  async handle({ instance }, { ports }): Promise<ListQuickRepliesReply> {
    return (await ports.quickReplies.list(instance.id)).map((row) => quickReplyRecord(row, instance.owner))
  },
})

/** Routes of the area, in the order of the documentation. */
export const quickreplyRoutes: readonly Route[] = [listQuickReplies, editQuickReply]
