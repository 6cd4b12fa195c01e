import type { TriggerFields, TriggerRow, TriggerSchedule } from '../../../schemas/agents/records.js'
import { wrongPhrase } from '../../../schemas/agents/words.js'
import type { GatewayError } from '../../../schemas/errors.js'
import type { EditTriggerRequest } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { parseSendWindow } from '../../../schemas/send-window.js'
import { missingFields } from '../agent/fields.js'

type GivenTrigger = NonNullable<EditTriggerRequest['trigger']>

/** Returns a trigger after an edit. Fields that are not given stay. @throws GatewayError INVALID_REQUEST */
export function changedTrigger(former: TriggerRow | null, given: GivenTrigger): TriggerFields {
  const { type = former === null ? undefined : 'agent', agent_id: agentId = former?.agentId ?? '' } = given
  if (type === 'quickreply') throw notOffered('quick replies are only stored, and never sent by a trigger')
  if (type === 'flow') throw notOffered('there are no flows')
  const missing = [...(type === undefined ? ['type'] : []), ...(agentId === '' ? ['agent_id'] : [])]
  if (missing.length > 0) throw missingFields(missing.map((field) => `trigger.${field}`))
  const wordsToStart = given.wordsToStart?.trim() ?? former?.wordsToStart ?? ''
  const wrong = wrongPhrase(wordsToStart)
  if (wrong !== null) throw invalidField('trigger.wordsToStart', wrong)
  return {
    ...{ agentId, wordsToStart, ...conditionOf(former, given) },
    active: given.active ?? former?.active ?? true,
    ignoreGroups: given.ignoreGroups ?? former?.ignoreGroups ?? true,
    priority: given.priority ?? former?.priority ?? 1,
    responseDelaySeconds: given.responseDelay_seconds ?? former?.responseDelaySeconds ?? 10,
    schedule: given.schedule === undefined ? (former?.schedule ?? null) : scheduleOf(given.schedule),
  }
}

/** A trigger without a condition, as its record shows it. */
const NO_CONDITION = { leadField: '', leadOperator: 'equals', leadValue: '' } as const

function conditionOf(former: TriggerRow | null, given: GivenTrigger) {
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

function scheduleOf(given: NonNullable<GivenTrigger['schedule']> | null): TriggerSchedule | null {
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
