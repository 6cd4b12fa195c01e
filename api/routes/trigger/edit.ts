import { GatewayError } from '../../../schemas/errors.js'
import type { EditTriggerRequest, Trigger } from '../../../schemas/generated.js'
import { Created, instanceRoute } from '../../route.js'
import { missingFields } from '../agent/fields.js'
import { changedTrigger } from './fields.js'
import { triggerRecord } from './record.js'

export const editTrigger = instanceRoute<EditTriggerRequest>({
  method: 'POST',
  path: '/trigger/edit',
  name: 'editTrigger',
  area: 'Agent',
  scope: 'token',
  summary: 'Create, change or delete a trigger, which chooses the messages that an agent answers',
  schema: 'trigger/edit.json',
  idempotent: 'kept',
  creates: true,
  errors: [
    ...(['TRIGGER_NOT_FOUND', 'AGENT_NOT_FOUND', 'RECORD_LIMIT'] as const),
    ...(['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'] as const),
  ],
  async handle({ instance, body }, { ports }): Promise<Trigger | Created> {
    const { id = '', delete: isDeleted = false, trigger: given = {} } = body
    const former = id === '' ? null : await ports.agents.findTrigger(instance.id, id)
    if (former === null && id !== '') throw new GatewayError('TRIGGER_NOT_FOUND')
    if (isDeleted && former === null) throw missingFields(['id'])
    if (!isDeleted) changedTrigger(former, given)
    // An owner that cannot be reached is noticed before anything is stored.
    await ports.router.ask(instance.id, { type: 'reloadAgents' })
    if (isDeleted && former !== null) {
      await ports.agents.deleteTrigger(instance.id, former.id)
      await ports.router.ask(instance.id, { type: 'reloadAgents' })
      return triggerRecord({ ...former, active: false }, instance.owner)
    }
    const row = await ports.agents.saveTrigger(instance.id, former?.id ?? null, (stored) => {
      if (stored === null && former !== null) throw new GatewayError('TRIGGER_NOT_FOUND')
      return changedTrigger(stored, given)
    })
    await ports.router.ask(instance.id, { type: 'reloadAgents' })
    const record = triggerRecord(row, instance.owner)
    return former === null ? new Created(record) : record
  },
})
