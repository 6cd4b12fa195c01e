import { Mic, Pause, Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import { Failure } from '../../components/failure.js'
import { showUnseen } from '../../format/visible.js'
import { useTranscription } from '../../hooks/use-inbox.js'
import { maySend } from '../../hooks/use-instance.js'
import { useMedia } from '../../hooks/use-media.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useInboxWords } from '../../words/inbox.js'
import { formatLength, readFacts } from './message-facts.js'
import styles from './voice.module.css'

const SPEEDS = [1, 1.5, 2] as const
const BARS = 44

/** A voice message or other audio: its waveform, its speed, and what it says as text. */
export function VoicePlayer({ message }: { readonly message: Message }) {
  const said = useConversationWords()
  const inbox = useInboxWords()
  const { state, load } = useMedia(message.id)
  const { seconds, waveform } = readFacts(message)
  const name = said.kinds[message.mediaType === 'ptt' ? 'ptt' : 'audio'] ?? ''
  const [wantsPlay, setWantsPlay] = useState(false)
  const url = state.step === 'shown' ? state.url : undefined
  const player = usePlayer(url, wantsPlay, seconds ?? 0)
  return (
    <div className={styles.voice}>
      {url === undefined ? null : <audio ref={player.element} src={url} preload="metadata" {...player.handlers} />}
      <button
        type="button"
        className={styles.play}
        aria-label={`${player.isPlaying ? inbox.pause : inbox.play}: ${name}`}
        aria-busy={state.step === 'loading'}
        onClick={() => {
          if (url !== undefined) return player.toggle()
          setWantsPlay(true)
          load()
        }}
      >
        {player.isPlaying ? (
          <Pause size={22} fill="currentColor" aria-hidden="true" />
        ) : (
          <Play size={22} fill="currentColor" aria-hidden="true" />
        )}
      </button>
      <Wave
        waveform={waveform}
        share={player.share}
        length={player.length}
        onSeek={player.seek}
        isOff={url === undefined}
      />
      {url === undefined ? (
        <Mic size={18} aria-hidden="true" className={styles.mic} />
      ) : (
        <button
          type="button"
          className={styles.speed}
          aria-label={inbox.speed(`${player.speed}×`)}
          onClick={player.nextSpeed}
        >
          {player.speed}×
        </button>
      )}
      {state.step === 'failed' ? <Failure error={state.error} onRetry={load} /> : null}
      {message.mediaType === 'ptt' && maySend() ? <Transcript id={message.id} /> : null}
    </div>
  )
}

/** Plays what is behind an address, from when it was asked for. */
export function usePlayer(url: string | undefined, beginsByItself: boolean, knownSeconds: number) {
  const element = useRef<HTMLAudioElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [at, setAt] = useState(0)
  const [length, setLength] = useState(knownSeconds)
  const [speed, setSpeed] = useState<number>(1)
  useEffect(() => {
    if (url !== undefined && beginsByItself) element.current?.play().catch(() => undefined)
  }, [url, beginsByItself])
  return {
    element,
    isPlaying,
    speed,
    length,
    share: length > 0 ? Math.min(1, at / length) : 0,
    toggle: () => {
      if (isPlaying) element.current?.pause()
      else element.current?.play().catch(() => undefined)
    },
    seek: (share: number) => {
      if (element.current === null || length <= 0) return
      element.current.currentTime = share * length
      setAt(share * length)
    },
    nextSpeed: () => {
      const next = SPEEDS[(SPEEDS.indexOf(speed as 1) + 1) % SPEEDS.length] ?? 1
      setSpeed(next)
      if (element.current !== null) element.current.playbackRate = next
    },
    handlers: {
      onPlay: () => {
        setPlaying(true)
        if (element.current !== null) element.current.playbackRate = speed
      },
      onPause: () => setPlaying(false),
      onEnded: () => setAt(0),
      onTimeUpdate: () => setAt(element.current?.currentTime ?? 0),
      onLoadedMetadata: () => {
        const told = element.current?.duration ?? 0
        if (Number.isFinite(told) && told > 0) setLength(told)
      },
    },
  }
}

interface WaveProps {
  readonly waveform: readonly number[]
  /** How much of it was played, from 0 to 1. */
  readonly share: number
  /** Seconds. */
  readonly length: number
  readonly isOff: boolean
  readonly onSeek: (share: number) => void
}

/** The waveform, along which one seeks. */
export function Wave({ waveform, share, length, isOff, onSeek }: WaveProps) {
  const inbox = useInboxWords()
  const path = drawWaveform(waveform)
  const shown = share > 0 ? share * length : length
  return (
    <span className={styles.wave}>
      <svg viewBox={`0 0 ${BARS * 4} 28`} preserveAspectRatio="none" aria-hidden="true">
        <path d={path} />
      </svg>
      <span className={styles.played} style={{ clipPath: `inset(0 ${100 - share * 100}% 0 0)` }}>
        <svg viewBox={`0 0 ${BARS * 4} 28`} preserveAspectRatio="none" aria-hidden="true">
          <path d={path} />
        </svg>
      </span>
      <input
        type="range"
        min={0}
        max={1_000}
        aria-label={inbox.position}
        disabled={isOff}
        value={Math.round(share * 1_000)}
        aria-valuetext={formatLength(shown)}
        onChange={({ target }) => onSeek(Number(target.value) / 1_000)}
      />
      <span className={styles.time}>{formatLength(shown)}</span>
    </span>
  )
}

function drawWaveform(waveform: readonly number[]): string {
  let path = ''
  for (let bar = 0; bar < BARS; bar += 1) {
    const loud = waveform.length === 0 ? 0.15 : (waveform[Math.floor((bar * waveform.length) / BARS)] ?? 0)
    const high = Math.max(3, loud * 26)
    path += `M${bar * 4 + 1.5} ${14 - high / 2}v${high}`
  }
  return path
}

function Transcript({ id }: { readonly id: string }) {
  const inbox = useInboxWords()
  const { data, error, isPending, mutate } = useTranscription()
  if (data !== undefined)
    return (
      <p className={styles.transcript}>
        <bdi>{showUnseen(data.slice(0, 20_000)) || inbox.noSpeech}</bdi>
      </p>
    )
  return (
    <>
      <button type="button" className={styles.asText} aria-busy={isPending} onClick={() => mutate(id)}>
        {isPending ? inbox.transcribing : inbox.transcribe}
      </button>
      {error === null ? null : <Failure error={error} onRetry={() => mutate(id)} />}
    </>
  )
}
