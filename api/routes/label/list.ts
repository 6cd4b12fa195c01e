import type { LabelListReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

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
