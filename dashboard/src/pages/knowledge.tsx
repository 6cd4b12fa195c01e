import { KnowledgeList } from '../features/agents/knowledge-list.js'
import { useThisInstance } from '../hooks/use-this-instance.js'
import { useAgentWords } from '../words/agents/index.js'

export function Knowledge() {
  const agent = useAgentWords()
  const { id, credential } = useThisInstance()
  return (
    <>
      <h1>{agent.knowledge}</h1>
      <KnowledgeList scope={{ id, credential }} />
    </>
  )
}
