import type { RequestedLabels } from '../../../actors/operations/chats/label.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { LabelChatReply, LabelChatRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { changeErrors, withText } from '../change-failed.js'

export const labelChat = instanceRoute<LabelChatRequest>({
  method: 'POST',
  path: '/chat/labels',
  name: 'labelChat',
  area: 'Chat',
  scope: 'token',
  summary: 'Set, add or remove labels of a chat',
  schema: 'chat/labels.json',
  errors: ['INVALID_NUMBER', 'CHAT_NOT_FOUND', 'LABEL_NOT_FOUND', ...changeErrors],
  async handle({ instance, body }, { ports }): Promise<LabelChatReply> {
    const { editions } = await ports.router
      .ask(instance.id, { type: 'labelChat', number: body.number, edit: editOf(body) })
      .catch(withText('Error editing labels'))
    return { response: editions.length === 0 ? 'Nothing to change' : 'Labels updated', editions: [...editions] }
  },
})

function editOf({ labelids, add_labelid, remove_labelid }: LabelChatRequest): RequestedLabels {
  const asked: RequestedLabels[] = [
    ...(labelids === undefined ? [] : [{ kind: 'replace' as const, labelids }]),
    ...(add_labelid === undefined ? [] : [{ kind: 'add' as const, labelid: add_labelid }]),
    ...(remove_labelid === undefined ? [] : [{ kind: 'remove' as const, labelid: remove_labelid }]),
  ]
  const [edit] = asked
  if (edit !== undefined && asked.length === 1) return edit
  const message = 'Use only one operation: labelids, add_labelid, or remove_labelid'
  throw new GatewayError('INVALID_REQUEST', { message, details: [{ field: 'labelids', why: message }] })
}
