import type { AgentTurn } from '../../../../schemas/generated.js'
import { Original } from '../../components/failure.js'
import layout from '../../components/layout.module.css'
import { showUnseen } from '../../format/visible.js'
import { useAgentWords } from '../../words/agents/index.js'
import { ModelSteps } from './model-steps.js'

/** Steps and replies of one turn of an agent. */
export function TurnTrace({ turn: { steps = [], replies = [], error } }: { readonly turn: AgentTurn }) {
  const agent = useAgentWords()
  return (
    <>
      <Original text={error} />
      <ModelSteps steps={steps} />
      {replies.length === 0 ? null : (
        <>
          <h3>{agent.messages}</h3>
          <ol className={layout.items}>
            {replies.map(({ part, text, state }) => (
              <li key={part}>
                <span className={layout.tag}>{state}</span> <bdi>{showUnseen(text)}</bdi>
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  )
}
