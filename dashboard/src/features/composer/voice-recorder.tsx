import { useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.js'
import { useComposerWords } from '../../words/composer/index.js'
import styles from './composer.module.css'
import type { FileSource } from './draft.js'

/** Forms of a recording, the network's own first. */
const FORMS = [
  ['audio/ogg;codecs=opus', 'ogg'],
  ['audio/webm;codecs=opus', 'webm'],
  ['audio/mp4', 'm4a'],
] as const

/** Maximum time of a recording. */
const RECORDING_MAX_MS = 15 * 60_000

interface Running {
  readonly recorder: MediaRecorder
  readonly begunMs: number
}

/** Records a voice note with the microphone, where the browser gives one: pages on plain HTTP get none. */
export function VoiceRecorder({ onRecorded }: { readonly onRecorded: (file: FileSource) => void }) {
  const composer = useComposerWords()
  const [running, setRunning] = useState<Running | null>(null)
  const [seconds, setSeconds] = useState(0)
  const [isRefused, setRefused] = useState(false)
  const ends = useRef<(() => void) | undefined>(undefined)
  useEffect(() => () => ends.current?.(), [])
  useEffect(() => {
    if (running === null) return undefined
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - running.begunMs) / 1_000)), 500)
    const limit = setTimeout(() => running.recorder.stop(), RECORDING_MAX_MS)
    return () => {
      clearInterval(timer)
      clearTimeout(limit)
    }
  }, [running])
  const form = 'MediaRecorder' in globalThis ? FORMS.find(([type]) => MediaRecorder.isTypeSupported(type)) : undefined
  if (isRefused || form === undefined || navigator.mediaDevices === undefined) return <p>{composer.noMicrophone}</p>
  const [type, ending] = form

  async function start(): Promise<void> {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch(() => null)
    if (stream === null) return setRefused(true)
    const parts: Blob[] = []
    const recorder = new MediaRecorder(stream, { mimeType: type })
    const release = () => {
      for (const track of stream.getTracks()) track.stop()
    }
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
    recorder.addEventListener('stop', () => {
      release()
      setRunning(null)
      onRecorded({ from: 'file', name: `voice-note.${ending}`, blob: new Blob(parts, { type }) })
    })
    // Leaving the page throws the recording away.
    ends.current = release
    setSeconds(0)
    recorder.start()
    setRunning({ recorder, begunMs: Date.now() })
  }

  return (
    <div className={styles.inline}>
      {running === null ? (
        <Button onClick={() => void start()}>{composer.record}</Button>
      ) : (
        <Button look="danger" onClick={() => running.recorder.stop()}>
          {composer.stopRecording}
        </Button>
      )}
      <span role="timer">{running === null ? '' : composer.recording(seconds)}</span>
    </div>
  )
}
