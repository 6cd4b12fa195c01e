import { CircleStop, Pause, Play, SendHorizontal, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { readOwnZone } from '../../format/local-time.js'
import type { NewSend } from '../../hooks/outbox.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useInboxWords } from '../../words/inbox.js'
import type { LocalFile } from '../composer/content.js'
import { makeDraft } from '../composer/draft.js'
import { makeNoOptions, makeSendCall } from '../composer/request.js'
import { useRecorder } from '../composer/use-recorder.js'
import { IconButton } from './icon-button.js'
import { formatLength } from './message-facts.js'
import voice from './voice.module.css'
import { usePlayer, Wave } from './voice-player.js'
import styles from './writing.module.css'

interface VoiceBarProps {
  readonly chatId: string
  readonly replyTo: Message | null
  readonly onSend: (send: Omit<NewSend, 'instanceId' | 'chatId'>) => void
  readonly onClose: () => void
}

interface Recorded {
  readonly file: LocalFile
  readonly seconds: number
  readonly url: string
}

/** Records a voice message in the place of the box: with its loudness while it records, and to listen to before it is sent. */
export function VoiceBar({ chatId, replyTo, onSend, onClose }: VoiceBarProps) {
  const inbox = useInboxWords()
  const said = useConversationWords()
  const [recorded, setRecorded] = useState<Recorded | null>(null)
  const isSent = useRef(false)
  const post = (file: LocalFile) => {
    onSend(makeVoiceSend(file, chatId, replyTo, said.kinds.ptt ?? ''))
    onClose()
  }
  const recorder = useRecorder((file, seconds) => {
    if (isSent.current) post(file)
    else setRecorded({ file, seconds, url: URL.createObjectURL(file.blob) })
  })
  const { start } = recorder
  const begin = useRef(start)
  useEffect(() => void begin.current(), [])
  const url = recorded?.url
  useEffect(() => (url === undefined ? undefined : () => URL.revokeObjectURL(url)), [url])
  if (!recorder.isPossible)
    return (
      <div className={styles.voiceBar}>
        <p role="alert">{inbox.noMicrophone}</p>
        <Button onClick={onClose}>{inbox.close}</Button>
      </div>
    )
  return (
    <div className={styles.voiceBar}>
      <IconButton
        label={inbox.discardRecording}
        onClick={() => {
          recorder.discard()
          onClose()
        }}
      >
        <Trash2 size={21} aria-hidden="true" />
      </IconButton>
      {recorded === null ? (
        <>
          <span className={styles.light} aria-hidden="true" />
          <span role="timer" className={styles.timer}>
            {inbox.recordingFor(formatLength(recorder.seconds))}
          </span>
          <Levels levels={recorder.levels} />
          <IconButton label={inbox.stopRecording} look="danger" onClick={recorder.stop}>
            <CircleStop size={24} aria-hidden="true" />
          </IconButton>
        </>
      ) : (
        <Preview recorded={recorded} />
      )}
      <IconButton
        label={inbox.sendVoice}
        look="main"
        onClick={() => {
          if (recorded !== null) return post(recorded.file)
          isSent.current = true
          recorder.stop()
        }}
      >
        <SendHorizontal size={20} aria-hidden="true" />
      </IconButton>
    </div>
  )
}

function Levels({ levels }: { readonly levels: readonly number[] }) {
  const path = levels.map((level, place) => {
    const high = Math.max(2, level * 26)
    return `M${place * 4 + 2} ${14 - high / 2}v${high}`
  })
  return (
    <svg className={styles.levels} viewBox="0 0 160 28" preserveAspectRatio="none" aria-hidden="true">
      <path d={path.join('')} />
    </svg>
  )
}

function Preview({ recorded: { url, seconds } }: { readonly recorded: Recorded }) {
  const inbox = useInboxWords()
  const player = usePlayer(url, false, seconds)
  return (
    <span className={styles.preview}>
      <audio ref={player.element} src={url} {...player.handlers} />
      <button type="button" className={voice.play} onClick={player.toggle}>
        {player.isPlaying ? (
          <Pause size={20} fill="currentColor" aria-hidden="true" />
        ) : (
          <Play size={20} fill="currentColor" aria-hidden="true" />
        )}
        <span className="sr-only">{player.isPlaying ? inbox.pause : inbox.play}</span>
      </button>
      <Wave waveform={[]} share={player.share} length={player.length} onSeek={player.seek} isOff={false} />
    </span>
  )
}

function makeVoiceSend(file: LocalFile, chatId: string, replyTo: Message | null, name: string) {
  const draft = { ...makeDraft('ptt'), file: { from: 'file', ...file } as const }
  const options = makeNoOptions(readOwnZone())
  const { operation, body, files } = makeSendCall(draft, chatId, options, replyTo?.id)
  return {
    operation,
    // The builders make a body of the operation; the gateway checks it again.
    body: body as never,
    files,
    written: { draft, options },
    shown: {
      messageType: 'audio' as const,
      text: name,
      ...(replyTo === null ? {} : { quoted: replyTo.messageid }),
    },
  }
}
