import type { Message } from '../../../../schemas/generated.js'
import { Dialog } from '../../components/dialog.js'
import { Failure } from '../../components/failure.js'
import { useRead } from '../../hooks/use-operation.js'
import { useThisInstance } from '../../hooks/use-this-instance.js'
import { useAgentWords } from '../../words/agents/index.js'
import { useWords } from '../../words/index.js'
import { TurnTrace } from '../agents/turn-trace.js'

/** Turns of the chat among which that of the message is looked for. */
const TURNS = 100

interface MessageTraceProps {
  readonly message: Message
  readonly onClose: () => void
}

/** The turn in which an agent wrote a message: what it was asked, which functions it called, and what that cost. */
export function MessageTrace({ message, onClose }: MessageTraceProps) {
  const words = useWords()
  const agent = useAgentWords()
  const { id, credential } = useThisInstance()
  const query = { trace: true, limit: TURNS, chatid: message.chatid } as const
  const { data, error, refetch } = useRead({ id, credential }, 'listTurns', { query })
  const turn = data?.turns.find(({ replies = [] }) => replies.some((one) => one.messageid === message.messageid))
  return (
    <Dialog isOpen onClose={onClose} title={agent.trace}>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {turn !== undefined ? (
        <TurnTrace turn={turn} />
      ) : data !== undefined ? (
        <p>{agent.noTurnsFit}</p>
      ) : error === null ? (
        <p role="status">{words.loading}</p>
      ) : null}
    </Dialog>
  )
}
