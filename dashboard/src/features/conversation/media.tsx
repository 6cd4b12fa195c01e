import { useId, useRef, useState } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import { isObject } from '../../api/problem.js'
import { Failure } from '../../components/failure.js'
import { numberFormat } from '../../format/formats.js'
import { visible } from '../../format/visible.js'
import { useDownload, useMedia } from '../../hooks/use-media.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useLanguage } from '../../words/index.js'
import styles from './message.module.css'

const SPEEDS = [1, 1.5, 2] as const
/** Sides of a picture in pixels, at most. */
const SIDE = 320
const STICKER_SIDE = 160

/** The file of a message. It is fetched when somebody asks for it; until then there is its small picture, if the message has one. */
export function Media({ message }: { readonly message: Message }) {
  const { messageType } = message
  if (messageType === 'document') return <Document message={message} />
  if (messageType === 'audio') return <Sound message={message} />
  return <Picture message={message} />
}

function Picture({ message }: { readonly message: Message }) {
  const said = useConversationWords()
  const { state, load } = useMedia(message.id)
  const { messageType, mediaType = messageType } = message
  const { width, height, bytes, thumbnail } = factsOf(message)
  const name = said.kinds[mediaType] ?? said.kinds[messageType] ?? messageType
  const size = fitted(width, height, messageType === 'sticker' ? STICKER_SIDE : SIDE)
  const isFilm = messageType === 'video'
  return (
    <div className={styles.picture} style={{ width: size.width, aspectRatio: `${size.width} / ${size.height}` }}>
      {state.step === 'shown' ? (
        isFilm ? (
          <video
            src={state.url}
            controls
            autoPlay={mediaType === 'gif'}
            loop={mediaType === 'gif'}
            muted={mediaType === 'gif'}
            aria-label={name}
          />
        ) : (
          <img src={state.url} alt={name} />
        )
      ) : (
        <>
          {thumbnail === null ? null : <img className={styles.thumbnail} src={thumbnail} alt="" />}
          <button type="button" onClick={load} aria-busy={state.step === 'loading'}>
            {state.step === 'loading' ? said.loadingMedia : `${isFilm ? said.play : said.show}: ${name}`}
            <Size bytes={bytes} />
          </button>
        </>
      )}
      {state.step === 'failed' ? <Failure error={state.error} onRetry={load} /> : null}
    </div>
  )
}

function Sound({ message }: { readonly message: Message }) {
  const said = useConversationWords()
  const { state, load } = useMedia(message.id)
  const player = useRef<HTMLAudioElement>(null)
  const [speed, setSpeed] = useState<number>(1)
  const { seconds, bytes } = factsOf(message)
  const name = said.kinds[message.mediaType === 'ptt' ? 'ptt' : 'audio'] ?? ''
  const id = useId()
  const choose = (next: number) => {
    setSpeed(next)
    if (player.current !== null) player.current.playbackRate = next
  }
  return (
    <div className={styles.sound}>
      {state.step === 'shown' ? (
        <>
          {/* biome-ignore lint/a11y/useMediaCaption: sounds of chats have none. */}
          <audio ref={player} src={state.url} controls aria-label={name} />
          <label htmlFor={id}>{said.speed}</label>
          <select id={id} value={speed} onChange={({ target }) => choose(Number(target.value))}>
            {SPEEDS.map((one) => (
              <option key={one} value={one}>
                {one}×
              </option>
            ))}
          </select>
        </>
      ) : (
        <button type="button" className={styles.fileButton} onClick={load} aria-busy={state.step === 'loading'}>
          {state.step === 'loading' ? said.loadingMedia : `▶ ${name}`}
          {seconds === null ? null : ` ${minutes(seconds)}`} <Size bytes={bytes} />
        </button>
      )}
      {state.step === 'failed' ? <Failure error={state.error} onRetry={load} /> : null}
    </div>
  )
}

function Document({ message }: { readonly message: Message }) {
  const said = useConversationWords()
  const download = useDownload()
  const [failed, setFailed] = useState<Error | null>(null)
  const { bytes, fileName } = factsOf(message)
  const take = () => {
    setFailed(null)
    download(message.id).catch((error: unknown) => setFailed(error as Error))
  }
  return (
    <div>
      <button type="button" className={styles.fileButton} onClick={take}>
        ⬇ <bdi>{visible(fileName || message.text || '').slice(0, 300) || said.kinds.document}</bdi>{' '}
        <Size bytes={bytes} />
      </button>
      {failed === null ? null : <Failure error={failed} onRetry={take} />}
    </div>
  )
}

function Size({ bytes }: { readonly bytes: number | null }) {
  const language = useLanguage()
  if (bytes === null) return null
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kilobyte'] : [bytes / 1_000_000, 'megabyte']
  return <span> {numberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(value)}</span>
}

interface Facts {
  readonly width: number | null
  readonly height: number | null
  readonly seconds: number | null
  readonly bytes: number | null
  readonly fileName: string
  readonly thumbnail: string | null
}

function factsOf({ content }: Message): Facts {
  const { width, height, seconds, fileLength, fileName, JPEGThumbnail, jpegThumbnail } = isObject(content)
    ? content
    : {}
  const small = jpegThumbnail ?? JPEGThumbnail
  return {
    width: positive(width),
    height: positive(height),
    seconds: positive(seconds),
    bytes: positive(fileLength),
    fileName: typeof fileName === 'string' ? fileName : '',
    // Always drawn as a JPEG, whatever it is.
    thumbnail:
      typeof small === 'string' && small.length < 100_000 && /^\/9j\/[A-Za-z0-9+/=]+$/.test(small)
        ? `data:image/jpeg;base64,${small}`
        : null,
  }
}

function positive(value: unknown): number | null {
  const number = Number(value)
  return value !== null && Number.isFinite(number) && number > 0 ? number : null
}

/** The place of a picture is known before it comes, so that nothing moves then. */
function fitted(width: number | null, height: number | null, side: number): { width: number; height: number } {
  if (width === null || height === null) return { width: side, height: Math.round(side * 0.75) }
  const ratio = Math.min(3, Math.max(1 / 3, width / height))
  return ratio >= 1
    ? { width: side, height: Math.round(side / ratio) }
    : { width: Math.round(side * ratio), height: side }
}

function minutes(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
