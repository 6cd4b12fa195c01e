import { GatewayError } from '../../../schemas/errors.js'
import type {
  EditLabelReply,
  EditLabelRequest,
  LabelListReply,
  RefreshLabelsRequest,
} from '../../../schemas/generated.js'
import { Accepted, instanceRoute, type Route } from '../../route.js'
import { changeErrors, withText } from '../change-failed.js'

export const listLabels = instanceRoute({
  method: 'GET',
  path: '/labels',
  name: 'listLabels',
  area: 'Label',
  scope: 'read',
  summary: 'List the labels of the account',
  schema: 'label/list.json',
  errors: [],
  async handle({ instance }, { ports }): Promise<LabelListReply> {
    return [...(await ports.labels.list(instance))] as unknown as LabelListReply
  },
})

const editLabel = instanceRoute<EditLabelRequest>({
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

const refreshLabels = instanceRoute<RefreshLabelsRequest>({
  method: 'POST',
  path: '/labels/refresh',
  name: 'refreshLabels',
  area: 'Label',
  scope: 'token',
  summary: 'Read the labels again from WhatsApp',
  schema: 'label/refresh.json',
  accepts: true,
  errors: ['HISTORY_RUNNING', ...changeErrors],
  async handle({ instance, body: { force = false } }, { ports }): Promise<Accepted> {
    const { isWhole } = await ports.router
      .ask(instance.id, { type: 'refreshLabels', isWhole: force })
      .catch(withText('Error refreshing labels'))
    return new Accepted({
      success: true,
      status: 'started',
      message: 'Labels were read again',
      force,
      fullSync: isWhole,
    })
  },
})

/** Routes of the area, in the order of the documentation. */
export const labelRoutes: readonly Route[] = [editLabel, listLabels, refreshLabels]
