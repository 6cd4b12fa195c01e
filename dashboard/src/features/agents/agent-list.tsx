import { Bot } from 'lucide-react'
import type { Agent, EditAgentRequest, FunctionRecord, Knowledge } from '../../../../schemas/generated.js'
import { Original } from '../../components/failure.js'
import { CheckField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { showUnseen } from '../../format/visible.js'
import { mayConnect } from '../../hooks/use-instance.js'
import { type Scope, useRead, useWrite } from '../../hooks/use-operation.js'
import { useAgentWords } from '../../words/agents/index.js'
import { useTurnReason } from '../../words/turn-reasons.js'
import type { FieldSpec } from '../records/field-spec.js'
import { Records } from '../records/records.js'
import { KnowledgeReason } from './knowledge-reason.js'

const PROVIDERS = ['openai', 'anthropic', 'gemini', 'deepseek', 'custom'] as const

/** Agents with their settings. Keys of providers are never shown: the API tells only how they begin and end. */
export function AgentList({ scope }: { readonly scope: Scope }) {
  const agent = useAgentWords()
  const { data, error, refetch } = useRead(scope, 'listAgents', {})
  const specs = useSpecs(scope)
  const edit = useWrite(scope, 'editAgent', ['listAgents'])
  return (
    <Records<Agent, EditAgentRequest>
      title={agent.agents}
      icon={Bot}
      none={agent.noAgents}
      add={agent.addAgent}
      items={data}
      error={error}
      onRetry={() => void refetch()}
      getKey={({ id }) => id}
      getName={({ name }) => showUnseen(name)}
      heads={[agent.name, agent.provider, agent.model, agent.key, agent.state]}
      listCells={(one) => [
        <bdi key="name">{showUnseen(one.name)}</bdi>,
        one.provider,
        <bdi key="model">{showUnseen(one.model)}</bdi>,
        one.apikey ? <code key="key">{one.apikey}</code> : '',
        one.blockedReason ? (
          <Blocked key="blocked" code={one.blockedCode ?? ''} reason={one.blockedReason} />
        ) : (
          <Ready key="ready" agent={one} />
        ),
      ]}
      specs={specs}
      listValues={(one) =>
        one === undefined ? { provider: 'openai', functions: null, knowledge: null } : { ...one, apikey: '' }
      }
      mayEdit={mayConnect()}
      write={{
        operation: 'editAgent',
        saved: (one, changed) =>
          one === undefined ? { agent: { provider: 'openai', ...changed } } : { id: one.id, agent: changed },
        deleted: ({ id }) => ({ id, delete: true }),
        run: (body) => edit.mutateAsync({ body }),
      }}
      removal={agent.agentRemoval}
    />
  )
}

/** An agent that answers; its server may make no vectors of knowledge. */
function Ready({ agent: { embeddingError = '', embeddingCode = '' } }: { readonly agent: Agent }) {
  const agent = useAgentWords()
  return (
    <div>
      {agent.ready}
      {embeddingError === '' ? null : (
        <>
          <p className={layout.muted}>{agent.noVectors}</p>
          <KnowledgeReason code={embeddingCode} text={embeddingError} />
        </>
      )}
    </div>
  )
}

interface BlockedProps {
  readonly code: string
  /** Text of the provider or the gateway. */
  readonly reason: string
}

/** Why an agent answers nobody, in the language of the reader; what the provider wrote is below. */
function Blocked({ code, reason }: BlockedProps) {
  const agent = useAgentWords()
  const sentence = useTurnReason()
  return (
    <div>
      <span className={`${layout.tag} ${layout.bad}`}>{agent.blocked}</span>
      {code === '' ? null : <p>{sentence(code)}</p>}
      <Original text={reason} />
    </div>
  )
}

function useSpecs(scope: Scope): readonly FieldSpec[] {
  const agent = useAgentWords()
  const { data: functions = [] } = useRead(scope, 'listFunctions', {})
  const { data: knowledge = [] } = useRead(scope, 'listKnowledge', {})
  const hundred = { kind: 'number', min: 0, max: 100 } as const
  const count = { kind: 'number', min: 0 } as const
  return [
    { name: 'name', label: agent.name, kind: 'text', required: true, maxLength: 100 },
    { name: 'provider', label: agent.provider, kind: 'choice', options: PROVIDERS.map((one) => [one, one] as const) },
    { name: 'model', label: agent.model, kind: 'text', required: true },
    { name: 'apikey', label: agent.key, kind: 'secret', help: agent.keyHelp },
    { name: 'baseUrl', label: agent.baseUrl, kind: 'text' },
    { name: 'embeddingModel', label: agent.vectorModel, kind: 'text', help: agent.vectorModelHelp },
    { name: 'basePrompt', label: agent.prompt, kind: 'long' },
    { name: 'maxTokens', label: agent.maxTokens, ...count },
    { name: 'temperature', label: agent.temperature, ...hundred },
    { name: 'diversityLevel', label: agent.diversity, ...hundred },
    { name: 'frequencyPenalty', label: agent.frequency, ...hundred },
    { name: 'presencePenalty', label: agent.presence, ...hundred },
    { name: 'signMessages', label: agent.sign, kind: 'check' },
    { name: 'readMessages', label: agent.read, kind: 'check' },
    { name: 'maxMessageLength', label: agent.maxLength, ...count },
    { name: 'typingDelay_seconds', label: agent.typing, ...count },
    { name: 'contextTimeWindow_hours', label: agent.window, ...count },
    { name: 'contextMaxMessages', label: agent.most, ...count },
    { name: 'contextMinMessages', label: agent.least, ...count },
    { name: 'fallbackMessage', label: agent.fallback, kind: 'text' },
    { name: 'inputPrice', label: agent.inputPrice, ...count },
    { name: 'outputPrice', label: agent.outputPrice, ...count },
    makeIdsSpec(
      'functions',
      agent.functions,
      agent.allActive,
      functions.map((one: FunctionRecord) => [one.id, one.name]),
    ),
    makeIdsSpec(
      'knowledge',
      agent.knowledge,
      agent.allActive,
      knowledge.map((one: Knowledge) => [one.id, one.tittle]),
    ),
  ]
}

/** A choice of records; null stands for all that are active. */
function makeIdsSpec(name: string, label: string, all: string, options: readonly (readonly string[])[]): FieldSpec {
  return {
    name,
    label,
    kind: 'own',
    draw: (value, onChange) => {
      const ids = Array.isArray(value) ? (value as readonly string[]) : null
      return (
        <fieldset className={layout.group}>
          <legend>{label}</legend>
          <CheckField
            label={all}
            checked={ids === null}
            onChange={({ target }) => onChange(target.checked ? null : [])}
          />
          {ids === null
            ? null
            : options.map(([id = '', word = '']) => (
                <CheckField
                  key={id}
                  label={<bdi>{showUnseen(word)}</bdi>}
                  checked={ids.includes(id)}
                  onChange={({ target }) => onChange(target.checked ? [...ids, id] : ids.filter((one) => one !== id))}
                />
              ))}
        </fieldset>
      )
    },
  }
}
