import { QuickReplyList } from '../features/agents/quick-reply-list.js'
import { useThisInstance } from '../hooks/use-this-instance.js'
import { useAgentWords } from '../words/agents/index.js'

export function QuickReplies() {
  const agent = useAgentWords()
  const { id, credential } = useThisInstance()
  return (
    <>
      <h1>{agent.quickReplies}</h1>
      <QuickReplyList scope={{ id, credential }} />
    </>
  )
}
