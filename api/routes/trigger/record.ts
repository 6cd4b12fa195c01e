import type { TriggerRow, TriggerSchedule } from '../../../schemas/agents/records.js'
import type { Trigger } from '../../../schemas/generated.js'
import { sendWindowInput } from '../../../schemas/send-window.js'

export function triggerRecord(row: TriggerRow, owner: string): Trigger {
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
