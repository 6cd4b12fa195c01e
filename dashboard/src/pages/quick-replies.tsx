import { QuickReplyList } from '../features/agents/quick-reply-list.js'
import { useThisInstance } from '../hooks/use-this-instance.js'

export function QuickReplies() {
  const { id, credential } = useThisInstance()
  return <QuickReplyList scope={{ id, credential }} />
}
