import { Button } from '../../components/button.js'
import { Failure } from '../../components/failure.js'
import layout from '../../components/layout.module.css'
import { Moment } from '../../components/moment.js'
import { Notice } from '../../components/notice.js'
import { mayManageChats } from '../../hooks/rights.js'
import { useCalls } from '../../hooks/use-calls.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useLanguage } from '../../words/index.js'
import { formatJid } from './names.js'

interface CallsProps {
  /** Returns the name of a chat that is known. */
  readonly getName: (chatId: string) => string | undefined
  readonly onChat: (chatId: string) => void
}

/** Calls as they come: one that rings can be refused, one that ended stays until it is closed. */
export function Calls({ getName, onChat }: CallsProps) {
  const said = useConversationWords()
  const language = useLanguage()
  const { calls, forget, reject } = useCalls()
  return (
    <div>
      {calls.map((one) => {
        const { id, chatId, isVideo, state, at } = one
        const isRinging = state === 'Ringing'
        return (
          <Notice key={id} look={isRinging ? 'busy' : 'plain'}>
            <div className={layout.chips}>
              <span>
                {isVideo ? said.videoCall : said.voiceCall} <bdi>{getName(chatId) ?? formatJid(chatId)}</bdi>:{' '}
                {said.callStates[state] ?? state}, <Moment at={new Date(at).toISOString()} language={language} />
              </span>
              {isRinging && mayManageChats() ? (
                <Button look="danger" isBusy={reject.isPending} onClick={() => reject.mutate(one)}>
                  {said.rejectCall}
                </Button>
              ) : null}
              <Button onClick={() => onChat(chatId)}>{said.openChat}</Button>
              <Button onClick={() => forget(id)}>{said.close}</Button>
            </div>
          </Notice>
        )
      })}
      {reject.error === null || calls.length === 0 ? null : <Failure error={reject.error} />}
    </div>
  )
}
