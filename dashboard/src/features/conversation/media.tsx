import { Download, FileText, Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import { Failure } from '../../components/failure.js'
import { makeLate } from '../../components/late.js'
import { formatSize } from '../../format/size.js'
import { showUnseen } from '../../format/visible.js'
import { useInboxSettings } from '../../hooks/inbox-settings.js'
import { useDownload, useMedia } from '../../hooks/use-media.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useInboxWords } from '../../words/inbox.js'
import { useLanguage } from '../../words/index.js'
import styles from './media.module.css'
import { formatLength, readFacts } from './message-facts.js'

const VoicePlayer = makeLate(async () => (await import('./voice-player.js')).VoicePlayer, { isAhead: true })

/** Sides of a picture in pixels, at most. */
const SIDE = 320
const STICKER_SIDE = 150
/** A picture up to this size loads by itself once it stays in sight. */
const BY_ITSELF_BYTES = 2_000_000
const STAYS_MS = 300

interface MediaProps {
  readonly message: Message
  readonly onOpen: (message: Message) => void
}

/** The file of a message. Small pictures load when they are seen; all else when somebody asks for it. */
export function Media({ message, onOpen }: MediaProps) {
  const { messageType } = message
  if (messageType === 'document') return <Document message={message} />
  if (messageType === 'audio')
    return (
      <div className={styles.sound}>
        <VoicePlayer message={message} />
      </div>
    )
  return <Picture message={message} onOpen={onOpen} />
}

function Picture({ message, onOpen }: MediaProps) {
  const said = useConversationWords()
  const inbox = useInboxWords()
  const { messageType, mediaType = messageType } = message
  const { width, height, isOnce } = readFacts(message)
  const isSticker = messageType === 'sticker'
  const size = fitSize(width, height, isSticker ? STICKER_SIDE : SIDE)
  if (isOnce) return <p className={styles.once}>{inbox.viewOnce}</p>
  return (
    <div
      className={`${styles.picture} ${isSticker ? styles.sticker : ''} ${mediaType === 'ptv' ? styles.round : ''}`}
      style={{ width: size.width, aspectRatio: mediaType === 'ptv' ? '1' : `${size.width} / ${size.height}` }}
    >
      {mediaType === 'gif' || mediaType === 'ptv' ? (
        <Clip message={message} name={said.kinds[mediaType] ?? mediaType} isLoop={mediaType === 'gif'} />
      ) : (
        <Thumb message={message} onOpen={onOpen} />
      )}
    </div>
  )
}

/** The picture of a message, or the first sight of its video. It opens the viewer. */
export function Thumb({ message, onOpen }: MediaProps) {
  const said = useConversationWords()
  const inbox = useInboxWords()
  const { state, load } = useMedia(message.id)
  const { messageType, mediaType = messageType } = message
  const { bytes, seconds, thumbnail } = readFacts(message)
  const name = said.kinds[mediaType] ?? said.kinds[messageType] ?? messageType
  const isVideo = messageType === 'video'
  useLoadBySight(!isVideo && state.step === 'none' && (bytes ?? 0) <= BY_ITSELF_BYTES, load)
  if (state.step === 'shown' && !isVideo)
    return messageType === 'sticker' ? (
      <img src={state.url} alt={name} />
    ) : (
      <button
        type="button"
        className={styles.whole}
        aria-label={inbox.openPicture(name)}
        onClick={() => onOpen(message)}
      >
        <img src={state.url} alt={name} />
      </button>
    )
  return (
    <>
      {thumbnail === null ? null : <img className={styles.thumbnail} src={thumbnail} alt="" />}
      <button
        type="button"
        className={isVideo ? styles.round : styles.load}
        aria-label={isVideo ? `${said.play}: ${name}` : undefined}
        aria-busy={state.step === 'loading'}
        onClick={isVideo ? () => onOpen(message) : load}
      >
        {isVideo ? (
          <Play size={26} fill="currentColor" aria-hidden="true" />
        ) : state.step === 'loading' ? (
          said.loadingMedia
        ) : (
          `${said.show}: ${name}`
        )}
        {isVideo ? null : <Size bytes={bytes} />}
      </button>
      {isVideo && seconds !== null ? <span className={styles.length}>{formatLength(seconds)}</span> : null}
      {state.step === 'failed' ? <Failure error={state.error} onRetry={load} /> : null}
    </>
  )
}

interface ClipProps {
  readonly message: Message
  readonly name: string
  /** True: it begins by itself, without sound, and again. */
  readonly isLoop: boolean
}

/** A short video that plays where it stands. */
function Clip({ message, name, isLoop }: ClipProps) {
  const said = useConversationWords()
  const { state, load } = useMedia(message.id)
  const { thumbnail } = readFacts(message)
  if (state.step === 'shown')
    return <video src={state.url} controls autoPlay loop={isLoop} muted={isLoop} aria-label={name} />
  return (
    <>
      {thumbnail === null ? null : <img className={styles.thumbnail} src={thumbnail} alt="" />}
      <button
        type="button"
        className={styles.round}
        aria-label={`${said.play}: ${name}`}
        aria-busy={state.step === 'loading'}
        onClick={load}
      >
        <Play size={26} fill="currentColor" aria-hidden="true" />
      </button>
      {state.step === 'failed' ? <Failure error={state.error} onRetry={load} /> : null}
    </>
  )
}

/** Loads once the row has stayed for a moment, so that one who scrolls by loads nothing. */
function useLoadBySight(isWanted: boolean, load: () => void): void {
  const { pictures } = useInboxSettings()
  const isOn = isWanted && pictures
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function is another one each time, and does the same.
  useEffect(() => {
    if (!isOn) return undefined
    const timer = setTimeout(load, STAYS_MS)
    return () => clearTimeout(timer)
  }, [isOn])
}

function Document({ message }: { readonly message: Message }) {
  const said = useConversationWords()
  const download = useDownload()
  const [failed, setFailed] = useState<Error | null>(null)
  const { bytes, fileName } = readFacts(message)
  const name = showUnseen(fileName || message.text || '').slice(0, 300) || (said.kinds.document ?? '')
  const take = () => {
    setFailed(null)
    download(message.id).catch((error: unknown) => setFailed(error as Error))
  }
  return (
    <div>
      <button type="button" className={styles.file} onClick={take}>
        <FileText size={30} aria-hidden="true" />
        <span className={styles.fileName}>
          <bdi>{name}</bdi>
          <span className={styles.fileFacts}>
            {/\.(\w{1,8})$/.exec(name)?.[1]?.toUpperCase()} <Size bytes={bytes} />
          </span>
        </span>
        <Download size={20} aria-hidden="true" />
      </button>
      {failed === null ? null : <Failure error={failed} onRetry={take} />}
    </div>
  )
}

function Size({ bytes }: { readonly bytes: number | null }) {
  const language = useLanguage()
  return bytes === null ? null : <span> {formatSize(bytes, language)}</span>
}

/** The place of a picture is known before it comes, so that nothing moves then. */
function fitSize(width: number | null, height: number | null, side: number): { width: number; height: number } {
  if (width === null || height === null) return { width: side, height: Math.round(side * 0.75) }
  const ratio = Math.min(3, Math.max(1 / 3, width / height))
  return ratio >= 1
    ? { width: side, height: Math.round(side / ratio) }
    : { width: Math.round(side * ratio), height: side }
}
