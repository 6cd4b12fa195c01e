/** Records with the microphone, where the browser gives one: pages on plain HTTP get none. */
import { useEffect, useRef, useState } from 'react'
import type { LocalFile } from './content.js'

/** Forms of a recording, the network's own first. The gateway makes the last two into the first. */
const FORMS = [
  ['audio/ogg;codecs=opus', 'ogg'],
  ['audio/webm;codecs=opus', 'webm'],
  ['audio/mp4', 'm4a'],
] as const
/** Maximum time of a recording. */
const RECORDING_MAX_MS = 15 * 60_000
const LEVEL_EVERY_MS = 100
/** Levels that are kept to draw. */
const LEVELS_MAX = 40

export interface Recorder {
  readonly isPossible: boolean
  readonly isRecording: boolean
  readonly seconds: number
  /** Loudness of the last seconds, from 0 to 1, the newest last. */
  readonly levels: readonly number[]
  readonly start: () => Promise<void>
  readonly stop: () => void
  /** Ends the recording and throws it away. */
  readonly discard: () => void
}

interface Running {
  readonly recorder: MediaRecorder
  readonly begunMs: number
  readonly level: () => number
  readonly release: () => void
}

export function useRecorder(onRecorded: (file: LocalFile, seconds: number) => void): Recorder {
  const [running, setRunning] = useState<Running | null>(null)
  const [seconds, setSeconds] = useState(0)
  const [levels, setLevels] = useState<readonly number[]>([])
  const [isRefused, setRefused] = useState(false)
  const isKept = useRef(true)
  const latest = useRef(onRecorded)
  useEffect(() => {
    latest.current = onRecorded
  })
  useEffect(() => {
    if (running === null) return undefined
    const timer = setInterval(() => {
      setSeconds((Date.now() - running.begunMs) / 1_000)
      setLevels((before) => [...before, running.level()].slice(-LEVELS_MAX))
    }, LEVEL_EVERY_MS)
    const limit = setTimeout(() => running.recorder.stop(), RECORDING_MAX_MS)
    return () => {
      clearInterval(timer)
      clearTimeout(limit)
      // Leaving the page throws the recording away.
      running.release()
    }
  }, [running])
  const form = 'MediaRecorder' in globalThis ? FORMS.find(([type]) => MediaRecorder.isTypeSupported(type)) : undefined

  async function start(): Promise<void> {
    if (form === undefined) return
    const [type, ending] = form
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch(() => null)
    if (stream === null) return setRefused(true)
    const { level, end } = makeMeter(stream)
    const parts: Blob[] = []
    const recorder = new MediaRecorder(stream, { mimeType: type })
    const begunMs = Date.now()
    const release = () => {
      end()
      for (const track of stream.getTracks()) track.stop()
    }
    isKept.current = true
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
    recorder.addEventListener('stop', () => {
      release()
      setRunning(null)
      const file = { name: `voice-note.${ending}`, blob: new Blob(parts, { type }) }
      if (isKept.current) latest.current(file, (Date.now() - begunMs) / 1_000)
    })
    setSeconds(0)
    setLevels([])
    recorder.start()
    setRunning({ recorder, begunMs, level, release })
  }

  return {
    isPossible: !isRefused && form !== undefined && navigator.mediaDevices !== undefined,
    isRecording: running !== null,
    seconds,
    levels,
    start,
    stop: () => running?.recorder.stop(),
    discard: () => {
      isKept.current = false
      running?.recorder.stop()
    },
  }
}

/** Measures how loud a microphone is. */
function makeMeter(stream: MediaStream): { readonly level: () => number; readonly end: () => void } {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 512
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Uint8Array(analyser.fftSize)
  return {
    level: () => {
      analyser.getByteTimeDomainData(samples)
      const power = samples.reduce((sum, one) => sum + ((one - 128) / 128) ** 2, 0) / samples.length
      return Math.min(1, Math.sqrt(power) * 3)
    },
    // It is ended once by the recording and once by the page.
    end: () => void context.close().catch(() => undefined),
  }
}
