import { GatewayError } from '../../../schemas/errors.js'
import type { EditLabelReply, EditLabelRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { changeErrors, withText } from '../change-failed.js'

export const editLabel = instanceRoute<EditLabelRequest>({
  method: 'POST',
  path: '/label/edit',
  name: 'editLabel',
  area: 'Label',
  scope: 'token',
  summary: 'Create, change or delete a label',
  schema: 'label/edit.json',
  idempotent: 'kept',
  refusalText: 'invalid payload',
  errors: ['LABEL_NOT_FOUND', ...changeErrors],
  async handle({ instance, body }, { ports }): Promise<EditLabelReply> {
    const { labelid = null, name, color, delete: isDeleted = false } = body
    if (labelid === null && (isDeleted || name === undefined)) {
      const field = isDeleted ? 'labelid' : 'name'
      throw new GatewayError('INVALID_REQUEST', { details: [{ field, why: 'is missing' }] })
    }
    const edited = await ports.router
      .ask(instance.id, {
        type: 'editLabel',
        labelid,
        isDeleted,
        ...(name === undefined ? {} : { name }),
        ...(color === undefined ? {} : { color }),
      })
      .catch(withText('error editing label'))
    const response = isDeleted ? 'Label deleted' : edited.isNew ? 'Label created' : 'Label edited'
    return { response, labelid: edited.labelid }
  },
})
