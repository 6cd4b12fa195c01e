import { FunctionList } from '../features/agents/function-list.js'
import { useThisInstance } from '../hooks/use-this-instance.js'
import { useAgentWords } from '../words/agents/index.js'

export function Functions() {
  const agent = useAgentWords()
  const { id, credential } = useThisInstance()
  return (
    <>
      <h1>{agent.functions}</h1>
      <FunctionList scope={{ id, credential }} />
    </>
  )
}
