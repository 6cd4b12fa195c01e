import { BookOpen } from 'lucide-react'
import { type FormEvent, useEffect, useId, useState } from 'react'
import type { EditKnowledgeRequest, Knowledge } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { Failure } from '../../components/failure.js'
import { InputField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { Card, Notice } from '../../components/notice.js'
import { showUnseen } from '../../format/visible.js'
import { mayConnect } from '../../hooks/use-instance.js'
import { type Scope, useRead, useWrite } from '../../hooks/use-operation.js'
import { useAgentWords } from '../../words/agents/index.js'
import { useWords } from '../../words/index.js'
import { useRecordWords } from '../../words/records/index.js'
import type { FieldSpec } from '../records/field-spec.js'
import { Records } from '../records/records.js'
import { KnowledgeReason } from './knowledge-reason.js'

const FILE_MAX = 10 * 1024 * 1024
/** Time between two readings while an entry is being read. */
const FOLLOW_MS = 2_000
const UNDER_WAY = ['pending', 'processing']

/** Knowledge of the agents: texts, pages and files, with the state of their index. */
export function KnowledgeList({ scope }: { readonly scope: Scope }) {
  const words = useWords()
  const agent = useAgentWords()
  const records = useRecordWords()
  const { data, error, refetch } = useRead(scope, 'listKnowledge', {})
  const edit = useWrite(scope, 'editKnowledge', ['listKnowledge'])
  const isUnderWay = data?.some(({ vectorStatus = '' }) => UNDER_WAY.includes(vectorStatus)) ?? false
  useEffect(() => {
    if (!isUnderWay) return undefined
    const timer = setInterval(() => void refetch(), FOLLOW_MS)
    return () => clearInterval(timer)
  }, [isUnderWay, refetch])
  const specs: readonly FieldSpec[] = [
    { name: 'tittle', label: agent.heading, kind: 'text', required: true, maxLength: 200 },
    {
      name: 'content',
      label: agent.content,
      kind: 'own',
      draw: (value, onChange) => <Content value={typeof value === 'string' ? value : ''} onChange={onChange} />,
    },
    { name: 'priority', label: agent.priority, kind: 'number' },
    { name: 'active', label: agent.active, kind: 'check' },
  ]
  return (
    <>
      <Records<Knowledge, EditKnowledgeRequest>
        title={agent.knowledge}
        icon={BookOpen}
        about={words.abouts.knowledge}
        none={agent.noKnowledge}
        add={agent.addKnowledge}
        items={data}
        error={error}
        onRetry={() => void refetch()}
        getKey={({ id }) => id}
        getName={({ tittle }) => showUnseen(tittle)}
        heads={[agent.heading, agent.index, agent.active, agent.priority]}
        listCells={({ tittle, vectorStatus = '', vectorError = '', vectorCode = '', active, priority }) => [
          <bdi key="title">{showUnseen(tittle)}</bdi>,
          <div key="index">
            {agent.indexStates[vectorStatus] ?? vectorStatus}
            <KnowledgeReason code={vectorCode} text={vectorError} />
          </div>,
          active ? records.yes : records.no,
          priority,
        ]}
        specs={specs}
        listValues={(one) => (one === undefined ? { active: true, content: '' } : { ...one })}
        mayEdit={mayConnect()}
        write={{
          operation: 'editKnowledge',
          saved: (one, changed) => (one === undefined ? { knowledge: changed } : { id: one.id, knowledge: changed }),
          deleted: ({ id }) => ({ id, delete: true }),
          run: (body) => edit.mutateAsync({ body }),
        }}
        removal={agent.knowledgeRemoval}
      />
      <KnowledgeSearch scope={scope} />
    </>
  )
}

/** A text or an address that is typed, or a file that is read here and sent as a data URL. */
function Content({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const agent = useAgentWords()
  const id = useId()
  const [wrong, setWrong] = useState<string | undefined>(undefined)
  const take = (file: File | undefined) => {
    setWrong(undefined)
    if (file === undefined) return
    if (file.size > FILE_MAX) {
      setWrong(agent.tooLarge)
      return
    }
    const reader = new FileReader()
    reader.addEventListener('load', () => onChange(String(reader.result)))
    reader.readAsDataURL(file)
  }
  const isFile = value.startsWith('data:')
  return (
    <div className={layout.form}>
      <div className={layout.group}>
        <label htmlFor={id}>{agent.content}</label>
        <textarea
          id={id}
          rows={6}
          disabled={isFile}
          value={isFile ? '' : value}
          onChange={({ target }) => onChange(target.value)}
        />
      </div>
      <InputField
        label={agent.file}
        wrong={wrong}
        type="file"
        accept=".pdf,.html,.htm,.csv,.txt,.md"
        onChange={({ target }) => take(target.files?.[0])}
      />
    </div>
  )
}

function KnowledgeSearch({ scope }: { readonly scope: Scope }) {
  const agent = useAgentWords()
  const titleId = useId()
  const [query, setQuery] = useState('')
  const search = useWrite(scope, 'searchKnowledge')
  const find = (event: FormEvent) => {
    event.preventDefault()
    if (!search.isPending) search.mutate({ body: { query } })
  }
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{agent.search}</h2>
      <form className={layout.form} onSubmit={find}>
        <InputField
          label={agent.question}
          required
          maxLength={1_000}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
        <div>
          <Button type="submit" isBusy={search.isPending}>
            {agent.find}
          </Button>
        </div>
      </form>
      {search.error === null ? null : <Failure error={search.error} />}
      {search.data === undefined ? null : search.data.chunks.length === 0 ? (
        <Notice>{agent.noneFound}</Notice>
      ) : (
        <>
          <p role="status">{search.data.byMeaning ? agent.byMeaning : agent.byWords}</p>
          <ol className={layout.items}>
            {search.data.chunks.map(({ id, tittle, position, text, score }) => (
              <li key={`${id} ${position}`}>
                <strong>
                  <bdi>{showUnseen(tittle)}</bdi>
                </strong>{' '}
                <span className={layout.muted}>{score.toFixed(2)}</span>
                <pre className={layout.code}>{showUnseen(text)}</pre>
              </li>
            ))}
          </ol>
        </>
      )}
    </Card>
  )
}
