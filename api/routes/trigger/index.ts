import type { TriggerFields, TriggerRow, TriggerSchedule } from '../../../schemas/agents/records.js'
import { wrongPhrase } from '../../../schemas/agents/words.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { EditTriggerRequest, Trigger, TriggerListReply } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { parseSendWindow, sendWindowInput } from '../../../schemas/send-window.js'
import { Created, instanceRoute, type Route } from '../../route.js'
import { missingFields } from '../agent/fields.js'

type GivenTrigger = NonNullable<EditTriggerRequest['trigger']>

/** Returns a trigger after an edit. Fields that are not given stay. @throws GatewayError INVALID_REQUEST */
function changedTrigger(former: TriggerRow | null, given: GivenTrigger): TriggerFields {
  const { type = former === null ? undefined : 'agent', agent_id: agentId = former?.agentId ?? '' } = given
  if (type === 'quickreply') throw notOffered('quick replies are only stored, and never sent by a trigger')
  if (type === 'flow') throw notOffered('there are no flows')
  const missing = [...(type === undefined ? ['type'] : []), ...(agentId === '' ? ['agent_id'] : [])]
  if (missing.length > 0) throw missingFields(missing.map((field) => `trigger.${field}`))
  const wordsToStart = given.wordsToStart?.trim() ?? former?.wordsToStart ?? ''
  const wrong = wrongPhrase(wordsToStart)
  if (wrong !== null) throw invalidField('trigger.wordsToStart', wrong)
  return {
    ...{ agentId, wordsToStart, ...readCondition(former, given) },
    active: given.active ?? former?.active ?? true,
    ignoreGroups: given.ignoreGroups ?? former?.ignoreGroups ?? true,
    priority: given.priority ?? former?.priority ?? 1,
    responseDelaySeconds: given.responseDelay_seconds ?? former?.responseDelaySeconds ?? 10,
    schedule: given.schedule === undefined ? (former?.schedule ?? null) : readSchedule(given.schedule),
  }
}

/** A trigger without a condition, as its record shows it. */
const NO_CONDITION = { leadField: '', leadOperator: 'equals', leadValue: '' } as const

function readCondition(former: TriggerRow | null, given: GivenTrigger) {
  const leadField = given.lead_field ?? former?.leadField ?? ''
  if (leadField === '') {
    checkNoCondition(given)
    return NO_CONDITION
  }
  const leadOperator = given.lead_operator ?? former?.leadOperator ?? 'equals'
  const leadValue = given.lead_value ?? former?.leadValue ?? ''
  const needsValue = leadOperator !== 'empty' && leadOperator !== 'not_empty'
  if (needsValue && leadValue.trim() === '')
    throw invalidField('trigger.lead_value', `is required for ${leadOperator}; use empty to look for an empty field`)
  return { leadField, leadOperator, leadValue }
}

/** Refuses half a condition: without its field the trigger would fire for everybody. @throws GatewayError INVALID_REQUEST */
function checkNoCondition({ lead_field: field, lead_operator: operator, lead_value: value = '' }: GivenTrigger): void {
  const isNeutral = operator === undefined || (operator === NO_CONDITION.leadOperator && field !== undefined)
  if (isNeutral && value.trim() === '') return
  const cause = isNeutral ? 'lead_value' : 'lead_operator'
  throw invalidField('trigger.lead_field', `is required with ${cause}`)
}

function readSchedule(given: NonNullable<GivenTrigger['schedule']> | null): TriggerSchedule | null {
  if (given === null) return null
  const { timezone, windows, closedMessage = '' } = given
  const parsed = windows.map(({ days, from, to }, index) => {
    const hours = {
      ...(days && { days }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    }
    const window = parseSendWindow({ ...hours, timezone }, `trigger.schedule.windows[${index}]`)
    if (window.byRecipient) throw invalidField('trigger.schedule.timezone', 'must be the IANA name of a time zone')
    return window
  })
  return { windows: parsed, closedMessage }
}

function notOffered(why: string): GatewayError {
  return invalidField('trigger.type', `must be agent: ${why}`)
}

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
