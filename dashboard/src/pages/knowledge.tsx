import { KnowledgeList } from '../features/agents/knowledge-list.js'
import { useThisInstance } from '../hooks/use-this-instance.js'

export function Knowledge() {
  const { id, credential } = useThisInstance()
  return <KnowledgeList scope={{ id, credential }} />
}
