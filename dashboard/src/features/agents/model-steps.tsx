import layout from '../../components/layout.module.css'
import { showUnseen } from '../../format/visible.js'
import { useAgentWords } from '../../words/agents/index.js'

interface ModelCall {
  readonly name: string
  readonly arguments: string
  readonly result: string
  readonly isError: boolean
  readonly endpoint?: string
  readonly status?: number
  readonly durationMs?: number
}

export interface ModelStep {
  readonly text: string
  readonly finish: string
  readonly ms: number
  readonly tokensIn: number
  readonly tokensOut: number
  readonly calls: readonly ModelCall[]
}

/** Answers of a model in their order, with the tools that it called: their input, output, time and status. */
export function ModelSteps({ steps }: { readonly steps: readonly ModelStep[] }) {
  const agent = useAgentWords()
  return (
    <ol className={layout.items}>
      {steps.map((step, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: answers are only appended.
        <li key={place}>
          <div className={layout.row}>
            <strong>{agent.step(place + 1)}</strong>
            <span className={layout.tag}>{step.finish}</span>
            <span>{agent.ms(step.ms)}</span>
            <span className={layout.muted}>{agent.used(step.tokensIn, step.tokensOut)}</span>
          </div>
          {step.text === '' ? null : (
            <p>
              <bdi>{showUnseen(step.text)}</bdi>
            </p>
          )}
          {step.calls.map((call, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: calls are only appended.
            <ToolCall key={index} call={call} />
          ))}
        </li>
      ))}
    </ol>
  )
}

function ToolCall({ call }: { readonly call: ModelCall }) {
  const agent = useAgentWords()
  return (
    <details open>
      <summary>
        <code>{showUnseen(call.name)}</code> {call.endpoint === undefined ? '' : showUnseen(call.endpoint)}{' '}
        {call.status ?? ''} {call.durationMs === undefined ? '' : agent.ms(call.durationMs)}
      </summary>
      <p className={layout.muted}>{agent.input}</p>
      <pre className={layout.code}>{showUnseen(call.arguments)}</pre>
      <p className={layout.muted}>{agent.output}</p>
      <pre className={`${layout.code} ${call.isError ? layout.bad : ''}`}>{showUnseen(call.result)}</pre>
    </details>
  )
}
