import { Dialog as Parts } from '@base-ui/react/dialog'
import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import { Failure } from '../../components/failure.js'
import { formatExactTime } from '../../format/time.js'
import { showUnseen } from '../../format/visible.js'
import { useDownload, useMedia } from '../../hooks/use-media.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useInboxWords } from '../../words/inbox.js'
import { useLanguage } from '../../words/index.js'
import { readFacts } from './message-facts.js'
import { describeSender } from './names.js'
import styles from './viewer.module.css'

interface ViewerProps {
  /** All pictures and videos through which one may go, oldest first. */
  readonly messages: readonly Message[]
  /** Id of the one that is shown. */
  readonly shown: string
  readonly onShow: (id: string) => void
  readonly onClose: () => void
}

/** Shows one picture or video over the page. Arrows go to the one before and after. */
export function Viewer({ messages, shown, onShow, onClose }: ViewerProps) {
  const inbox = useInboxWords()
  const said = useConversationWords()
  const language = useLanguage()
  const download = useDownload()
  const [failed, setFailed] = useState<Error | null>(null)
  const place = messages.findIndex(({ id }) => id === shown)
  const message = messages[place]
  const [before, after] = [messages[place - 1], messages[place + 1]]
  const onKey = (event: KeyboardEvent) => {
    const next = { ArrowLeft: before, ArrowRight: after }[event.key]
    if (next === undefined || (event.target as HTMLElement).tagName === 'VIDEO') return
    event.preventDefault()
    onShow(next.id)
  }
  if (message === undefined) return null
  return (
    <Parts.Root open onOpenChange={(next) => (next ? undefined : onClose())}>
      <Parts.Portal>
        <Parts.Popup className={styles.viewer} onKeyDown={onKey}>
          <div className={styles.head}>
            <Parts.Title className={styles.title}>
              <bdi>{message.fromMe ? said.you : describeSender(message)}</bdi>
              <time>{formatExactTime(new Date(message.messageTimestamp), language)}</time>
            </Parts.Title>
            <button
              type="button"
              aria-label={said.download}
              title={said.download}
              onClick={() => void download(message.id).catch((error: unknown) => setFailed(error as Error))}
            >
              <Download size={22} aria-hidden="true" />
            </button>
            <Parts.Close aria-label={inbox.close} title={inbox.close}>
              <X size={24} aria-hidden="true" />
            </Parts.Close>
          </div>
          {failed === null ? null : <Failure error={failed} />}
          <div className={styles.stage}>
            <Step message={before} label={inbox.previous} onShow={onShow}>
              <ChevronLeft size={28} aria-hidden="true" />
            </Step>
            <Whole key={message.id} message={message} />
            <Step message={after} label={inbox.next} onShow={onShow}>
              <ChevronRight size={28} aria-hidden="true" />
            </Step>
          </div>
          {message.text ? (
            <p className={styles.caption}>
              <bdi>{showUnseen(message.text.slice(0, 2_000))}</bdi>
            </p>
          ) : null}
        </Parts.Popup>
      </Parts.Portal>
    </Parts.Root>
  )
}

interface StepProps {
  readonly message: Message | undefined
  readonly label: string
  readonly onShow: (id: string) => void
  readonly children: ReactNode
}

function Step({ message, label, onShow, children }: StepProps) {
  return (
    <button
      type="button"
      className={styles.step}
      aria-label={label}
      title={label}
      disabled={message === undefined}
      onClick={() => (message === undefined ? undefined : onShow(message.id))}
    >
      {children}
    </button>
  )
}

function Whole({ message }: { readonly message: Message }) {
  const said = useConversationWords()
  const { state, load } = useMedia(message.id)
  const { thumbnail } = readFacts(message)
  const name = said.kinds[message.mediaType ?? ''] ?? said.kinds[message.messageType] ?? ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked for once.
  useEffect(() => {
    if (state.step === 'none') load()
  }, [])
  if (state.step === 'failed') return <Failure error={state.error} onRetry={load} />
  if (state.step !== 'shown')
    return (
      <span className={styles.whole}>
        {thumbnail === null ? null : <img className={styles.blurred} src={thumbnail} alt="" />}
        <span role="status">{said.loadingMedia}</span>
      </span>
    )
  return (
    <span className={styles.whole}>
      {message.messageType === 'video' ? (
        // biome-ignore lint/a11y/useMediaCaption: videos of chats have none.
        <video src={state.url} controls autoPlay aria-label={name} />
      ) : (
        <img src={state.url} alt={name} />
      )}
    </span>
  )
}
