import { type FormEvent, useId, useState } from 'react'
import type { Agent, TestAgentReply } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { Failure } from '../../components/failure.js'
import { CheckField, SelectField, TextField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { Card, Notice } from '../../components/notice.js'
import { showUnseen } from '../../format/visible.js'
import { type Scope, useRead, useWrite } from '../../hooks/use-operation.js'
import { useSentence } from '../../hooks/use-sentences.js'
import { useAgentWords } from '../../words/agents/index.js'
import { modelSentences } from '../../words/sentences/models.js'
import { ModelSteps } from './model-steps.js'

interface Said {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

const MILLION = 1_000_000

/** Tries an agent: the conversation on the left, what the model got and did on the right. Nothing is sent. */
export function Playground({ scope }: { readonly scope: Scope }) {
  const agent = useAgentWords()
  const titleId = useId()
  const traceId = useId()
  const { data: agents = [] } = useRead(scope, 'listAgents', {})
  const test = useWrite(scope, 'testAgent')
  const [chosen, setChosen] = useState('')
  const [runFunctions, setRun] = useState(false)
  const [said, setSaid] = useState<readonly Said[]>([])
  const [text, setText] = useState('')
  const tried: Agent | undefined = agents.find(({ id }) => id === chosen) ?? agents[0]

  function ask(event: FormEvent): void {
    event.preventDefault()
    if (test.isPending || tried === undefined || text.trim() === '') return
    const messages = [...said, { role: 'user' as const, text }]
    test.mutate(
      { body: { agent_id: tried.id, messages, runFunctions } },
      {
        onSuccess: ({ reply }) => {
          setSaid(reply === '' ? messages : [...messages, { role: 'assistant', text: reply }])
          setText('')
        },
      },
    )
  }

  if (tried === undefined) return <Notice>{agent.noAgents}</Notice>
  return (
    <div className={layout.columns}>
      <Card labelledBy={titleId}>
        <h2 id={titleId}>{agent.conversation}</h2>
        <SelectField label={agent.agent} value={tried.id} onChange={({ target }) => setChosen(target.value)}>
          {agents.map(({ id, name }) => (
            <option key={id} value={id}>
              {showUnseen(name)}
            </option>
          ))}
        </SelectField>
        <CheckField
          label={agent.runFunctions}
          help={agent.runHelp}
          checked={runFunctions}
          onChange={({ target }) => setRun(target.checked)}
        />
        <div role="log" aria-labelledby={titleId}>
          <SaidList said={said} name={tried.name} />
        </div>
        <form className={layout.form} onSubmit={ask}>
          <TextField
            label={agent.say}
            rows={3}
            required
            maxLength={4_000}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <div className={layout.row}>
            <Button type="submit" look="main" isBusy={test.isPending}>
              {agent.send}
            </Button>
            <Button
              onClick={() => {
                setSaid([])
                test.reset()
              }}
            >
              {agent.clear}
            </Button>
          </div>
          {test.error === null ? null : <Failure error={test.error} />}
        </form>
      </Card>
      <Card labelledBy={traceId}>
        <h2 id={traceId}>{agent.trace}</h2>
        {test.data === undefined ? <p>{agent.traceHelp}</p> : <Trace reply={test.data} agent={tried} />}
      </Card>
    </div>
  )
}

function SaidList({ said, name }: { readonly said: readonly Said[]; readonly name: string }) {
  const agent = useAgentWords()
  return (
    <ol className={layout.items}>
      {said.map(({ role, text }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages are only appended.
        <li key={place}>
          <strong>{role === 'user' ? agent.customer : <bdi>{showUnseen(name)}</bdi>}</strong>
          <p>
            <bdi>{showUnseen(text)}</bdi>
          </p>
        </li>
      ))}
    </ol>
  )
}

function Trace({ reply, agent: tried }: { readonly reply: TestAgentReply; readonly agent: Agent }) {
  const agent = useAgentWords()
  const say = useSentence(modelSentences)
  const { usage, error, isTransfer, steps, chunks, warnings } = reply
  const { inputPrice = null, outputPrice = null, basePrompt = '' } = tried
  const hasPrice = inputPrice !== null || outputPrice !== null
  const cost = (usage.inputTokens * (inputPrice ?? 0) + usage.outputTokens * (outputPrice ?? 0)) / MILLION
  return (
    <>
      {error === '' ? null : <Notice look="bad">{say(error)}</Notice>}
      {isTransfer ? <Notice look="busy">{agent.transfer}</Notice> : null}
      {warnings.map((warning) => (
        <Notice key={warning}>{say(warning)}</Notice>
      ))}
      <p>
        {agent.used(usage.inputTokens, usage.outputTokens)}
        {hasPrice ? ` · ${agent.cost}: ${cost.toFixed(6)}` : ''}
      </p>
      <details>
        <summary>{agent.prompt}</summary>
        <pre className={layout.code}>{showUnseen(basePrompt)}</pre>
      </details>
      {chunks.length === 0 ? null : (
        <details>
          <summary>
            {agent.knowledge} ({chunks.length})
          </summary>
          {chunks.map(({ entry, position, title, text }) => (
            <div key={`${entry} ${position}`}>
              <h3>
                <bdi>{showUnseen(title)}</bdi>
              </h3>
              <pre className={layout.code}>{showUnseen(text)}</pre>
            </div>
          ))}
        </details>
      )}
      <ModelSteps
        steps={steps.map((step) => ({
          ...step,
          ms: step.durationMs,
          tokensIn: step.usage.inputTokens,
          tokensOut: step.usage.outputTokens,
        }))}
      />
    </>
  )
}
