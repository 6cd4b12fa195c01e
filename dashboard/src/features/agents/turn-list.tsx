import { useId, useState } from 'react'
import type { AgentTurn } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { DataTable } from '../../components/data-table.js'
import { Dialog } from '../../components/dialog.js'
import { Failure, Original } from '../../components/failure.js'
import { InputField, SelectField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { Moment } from '../../components/moment.js'
import { Card } from '../../components/notice.js'
import { showUnseen } from '../../format/visible.js'
import { mayConnect } from '../../hooks/use-instance.js'
import { type Scope, useRead, useWrite } from '../../hooks/use-operation.js'
import { useInstanceEvents } from '../../hooks/use-this-instance.js'
import { useTyped } from '../../hooks/use-typed.js'
import { useAgentWords } from '../../words/agents/index.js'
import { useLanguage, useWords } from '../../words/index.js'
import { useTurnReason } from '../../words/turn-reasons.js'
import { formatJid } from '../conversation/names.js'
import { type AgentSearch, turnStates } from './search.js'
import { TurnTrace } from './turn-trace.js'

const TURNS = 20
const RETRYABLE: readonly AgentTurn['state'][] = ['failed', 'skipped', 'cancelled']

type TurnFilter = { readonly [Name in 'state' | 'chat']?: AgentSearch[Name] | undefined }

interface TurnListProps {
  readonly scope: Scope
  readonly search: TurnFilter
  readonly onSearch: (search: TurnFilter) => void
}

/** Turns of the agents, the newest first, with state, cost and trace. */
export function TurnList({ scope, search, onSearch }: TurnListProps) {
  const words = useWords()
  const agent = useAgentWords()
  const titleId = useId()
  const { state = '', chat = '' } = search
  const [typed, setTyped] = useTyped(chat, (next) => choose({ ...search, chat: next.trim() || undefined }))
  const [pages, setPages] = useState<readonly string[]>([])
  const [open, setOpen] = useState<AgentTurn | undefined>(undefined)
  const cursor = pages.at(-1)
  const { data, error, refetch } = useRead(scope, 'listTurns', {
    query: {
      trace: true,
      limit: TURNS,
      ...(state === '' ? {} : { state }),
      ...(chat === '' ? {} : { chatid: chat }),
      ...(cursor === undefined ? {} : { cursor }),
    },
  })
  useInstanceEvents((event) => {
    if (event !== 'open' && event.EventType === 'agents') void refetch()
  })
  const retry = useRetry(scope)
  const choose = (next: TurnFilter) => {
    setPages([])
    onSearch(next)
  }
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{agent.turns}</h2>
      <div className={layout.columns}>
        <SelectField
          label={agent.state}
          value={state}
          onChange={({ target }) => choose({ ...search, state: turnStates.find((one) => one === target.value) })}
        >
          <option value="">{agent.all}</option>
          {Object.entries(agent.states).map(([one, word]) => (
            <option key={one} value={one}>
              {word}
            </option>
          ))}
        </SelectField>
        <InputField
          label={agent.chat}
          maxLength={100}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </div>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {retry.error === null ? null : <Failure error={retry.error} />}
      {data === undefined ? (
        error === null ? (
          <p role="status">{words.loading}</p>
        ) : null
      ) : data.turns.length === 0 ? (
        <p>{state === '' && chat === '' ? agent.noTurns : agent.noTurnsFit}</p>
      ) : (
        <TurnTable labelledBy={titleId} turns={data.turns} onOpen={setOpen} retry={retry} />
      )}
      {data?.next ? <Button onClick={() => setPages([...pages, data.next ?? ''])}>{agent.older}</Button> : null}
      <Dialog isOpen={open !== undefined} onClose={() => setOpen(undefined)} title={agent.trace}>
        {open === undefined ? null : <TurnTrace turn={open} />}
      </Dialog>
    </Card>
  )
}

/** Why a turn ended without an answer, in the language of the reader; what the gateway wrote about it is below. */
function Reason({ turn: { reason, error } }: { readonly turn: AgentTurn }) {
  const sentence = useTurnReason()
  return (
    <>
      {reason === '' ? null : <p>{sentence(reason)}</p>}
      <Original text={error} />
    </>
  )
}

interface TurnTableProps {
  readonly labelledBy: string
  readonly turns: readonly AgentTurn[]
  readonly onOpen: (turn: AgentTurn) => void
  readonly retry: ReturnType<typeof useRetry>
}

function TurnTable({ labelledBy, turns, onOpen, retry }: TurnTableProps) {
  const agent = useAgentWords()
  const language = useLanguage()
  return (
    <DataTable
      labelledBy={labelledBy}
      heads={[agent.chat, agent.when, agent.state, agent.reason, agent.tokens, agent.cost, agent.open]}
      rows={turns}
      row={(turn) => ({
        key: turn.id,
        cells: [
          <bdi key="chat">{showUnseen(formatJid(turn.chatid))}</bdi>,
          <Moment key="when" at={new Date(turn.created).toISOString()} language={language} />,
          agent.states[turn.state] ?? turn.state,
          <Reason key="reason" turn={turn} />,
          turn.tokensIn + turn.tokensOut,
          turn.cost,
          <div key="open" className={layout.row}>
            <Button onClick={() => onOpen(turn)}>{agent.open}</Button>
            {mayConnect() && RETRYABLE.includes(turn.state) ? (
              <Button isBusy={retry.isPending} onClick={() => retry.mutate({ body: { id: turn.id } })}>
                {agent.retry}
              </Button>
            ) : null}
          </div>,
        ],
      })}
    />
  )
}

function useRetry(scope: Scope) {
  return useWrite(scope, 'retryTurn', ['listTurns'])
}
