import type { RefreshLabelsRequest } from '../../../schemas/generated.js'
import { Accepted, instanceRoute, type Route } from '../../route.js'
import { changeErrors, withText } from '../change-failed.js'
import { editLabel } from './edit.js'
import { listLabels } from './list.js'

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
