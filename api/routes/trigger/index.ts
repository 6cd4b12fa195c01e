import type { TriggerRow, TriggerSchedule } from '../../../schemas/agents/records.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { EditTriggerRequest, Trigger, TriggerListReply } from '../../../schemas/generated.js'
import { sendWindowInput } from '../../../schemas/send-window.js'
import { Created, instanceRoute, type Route } from '../../route.js'
import { missingFields } from '../agent/fields.js'
import { changedTrigger } from './fields.js'

const editTrigger = instanceRoute<EditTriggerRequest>({
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

const listTriggers = instanceRoute({
  method: 'GET',
  path: '/trigger/list',
  isSearch: true,
  name: 'listTriggers',
  area: 'Agent',
  scope: 'read',
  summary: 'List the triggers',
  schema: 'trigger/list.json',
  errors: [],
  async handle({ instance }, { ports }): Promise<TriggerListReply> {
    return (await ports.agents.triggers(instance.id)).map((row) => triggerRecord(row, instance.owner))
  },
})

/** Routes of the area, in the order of the documentation. */
export const triggerRoutes: readonly Route[] = [editTrigger, listTriggers]

function triggerRecord(row: TriggerRow, owner: string): Trigger {
  return {
    id: row.id,
    active: row.active,
    type: 'agent',
    agent_id: row.agentId,
    ignoreGroups: row.ignoreGroups,
    lead_field: row.leadField as NonNullable<Trigger['lead_field']>,
    // Rows of earlier versions may have the rest of a condition without its field.
    lead_operator: row.leadField === '' ? 'equals' : row.leadOperator,
    lead_value: row.leadField === '' ? '' : row.leadValue,
    priority: row.priority,
    wordsToStart: row.wordsToStart,
    responseDelay_seconds: row.responseDelaySeconds,
    ...(row.schedule === null ? {} : { schedule: scheduleRecord(row.schedule) }),
    owner,
    created: row.created.toISOString(),
    updated: row.updated.toISOString(),
  }
}

function scheduleRecord({ windows, closedMessage }: TriggerSchedule): NonNullable<Trigger['schedule']> {
  const shown = windows.map((window) => {
    const { days, from, to } = sendWindowInput(window)
    return { days, from, to }
  })
  return { timezone: windows[0]?.timezone ?? 'UTC', windows: shown, closedMessage }
}
