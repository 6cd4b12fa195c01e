import { Split } from 'lucide-react'
import type { Agent, EditTriggerRequest, Trigger } from '../../../../schemas/generated.js'
import { showUnseen } from '../../format/visible.js'
import { mayConnect } from '../../hooks/use-instance.js'
import { type Scope, useRead, useWrite } from '../../hooks/use-operation.js'
import { useAgentWords } from '../../words/agents/index.js'
import { useRecordWords } from '../../words/records/index.js'
import type { FieldSpec, Values } from '../records/field-spec.js'
import { Records } from '../records/records.js'
import { formatWindows, parseWindows } from './schedule.js'

const LEAD_FIELDS = [
  'lead_name',
  'lead_fullName',
  'lead_email',
  'lead_personalid',
  'lead_status',
  'lead_tags',
  'lead_notes',
  'lead_isTicketOpen',
  ...Array.from({ length: 20 }, (_, index) => `lead_field${String(index + 1).padStart(2, '0')}`),
]
const SCHEDULE = ['timezone', 'windows', 'closedMessage']

/** Triggers: which agent answers which messages, and when. */
export function TriggerList({ scope }: { readonly scope: Scope }) {
  const agent = useAgentWords()
  const records = useRecordWords()
  const { data, error, refetch } = useRead(scope, 'listTriggers', {})
  const { data: agents = [] } = useRead(scope, 'listAgents', {})
  const edit = useWrite(scope, 'editTrigger', ['listTriggers'])
  const getName = (id: string) => showUnseen(agents.find((one: Agent) => one.id === id)?.name ?? id)
  return (
    <Records<Trigger, EditTriggerRequest>
      title={agent.triggers}
      icon={Split}
      none={agent.noTriggers}
      add={agent.addTrigger}
      items={data}
      error={error}
      onRetry={() => void refetch()}
      getKey={({ id }) => id}
      getName={({ agent_id, wordsToStart }) => (wordsToStart ? showUnseen(wordsToStart) : getName(agent_id))}
      heads={[agent.agent, agent.active, agent.phrases, agent.priority, agent.delay]}
      listCells={({ agent_id, active, wordsToStart = '', priority, responseDelay_seconds }) => [
        <bdi key="agent">{getName(agent_id)}</bdi>,
        active ? records.yes : records.no,
        <bdi key="words">{showUnseen(wordsToStart)}</bdi>,
        priority,
        responseDelay_seconds,
      ]}
      specs={useSpecs(agents)}
      listValues={makeValues}
      mayEdit={mayConnect()}
      write={{
        operation: 'editTrigger',
        saved: (one, changed) => {
          const trigger = addSchedule(changed, one)
          const first = agents[0]?.id ?? ''
          return one === undefined
            ? { trigger: { type: 'agent', agent_id: first, ...trigger } }
            : { id: one.id, trigger }
        },
        deleted: ({ id }) => ({ id, delete: true }),
        run: (body) => edit.mutateAsync({ body }),
      }}
      removal={agent.triggerRemoval}
    />
  )
}

function makeValues(one?: Trigger): Values {
  if (one === undefined) return { active: true, ignoreGroups: true }
  const { schedule, ...rest } = one
  return {
    ...rest,
    timezone: schedule?.timezone ?? '',
    windows: formatWindows(schedule?.windows ?? []),
    closedMessage: schedule?.closedMessage ?? '',
  }
}

/** Puts the three fields of the form into one schedule, if one of them changed. */
function addSchedule(changed: Record<string, unknown>, one: Trigger | undefined): Record<string, unknown> {
  if (!SCHEDULE.some((name) => name in changed)) return changed
  const { timezone, windows, closedMessage, ...rest } = { ...makeValues(one), ...changed } as Record<string, string>
  const others = Object.fromEntries(Object.entries(rest).filter(([name]) => name in changed))
  if (!timezone) return { ...others, schedule: null }
  const closed = closedMessage ? { closedMessage } : {}
  return { ...others, schedule: { timezone, windows: parseWindows(windows ?? ''), ...closed } }
}

function useSpecs(agents: readonly Agent[]): readonly FieldSpec[] {
  const agent = useAgentWords()
  const withoutField = (values: Values) => !values.lead_field
  const withoutTime = (values: Values) => !values.timezone
  return [
    { name: 'active', label: agent.active, kind: 'check' },
    {
      name: 'agent_id',
      label: agent.agent,
      kind: 'choice',
      options: agents.map(({ id, name }) => [id, showUnseen(name)] as const),
    },
    { name: 'wordsToStart', label: agent.phrases, kind: 'text', help: agent.phrasesHelp },
    { name: 'responseDelay_seconds', label: agent.delay, kind: 'number', min: 0 },
    { name: 'priority', label: agent.priority, kind: 'number' },
    { name: 'ignoreGroups', label: agent.ignoreGroups, kind: 'check' },
    {
      name: 'lead_field',
      label: agent.field,
      kind: 'choice',
      options: [['', agent.none] as const, ...LEAD_FIELDS.map((one) => [one, one] as const)],
    },
    {
      name: 'lead_operator',
      label: agent.operator,
      kind: 'choice',
      options: Object.entries(agent.operators),
      isHidden: withoutField,
    },
    { name: 'lead_value', label: agent.value, kind: 'text', isHidden: withoutField },
    { name: 'timezone', label: agent.timezone, kind: 'text', help: agent.timezoneHelp },
    { name: 'windows', label: agent.windows, kind: 'long', help: agent.windowsHelp, isHidden: withoutTime },
    { name: 'closedMessage', label: agent.closed, kind: 'text', isHidden: withoutTime },
  ]
}
