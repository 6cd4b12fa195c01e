import { Button } from '../../components/button.js'
import { useComposerWords } from '../../words/composer/index.js'
import styles from './composer.module.css'
import type { FileSource } from './draft.js'
import { useRecorder } from './use-recorder.js'

/** Records a voice note with the microphone, where the browser gives one. */
export function VoiceRecorder({ onRecorded }: { readonly onRecorded: (file: FileSource) => void }) {
  const composer = useComposerWords()
  const { isPossible, isRecording, seconds, start, stop } = useRecorder((file) => onRecorded({ from: 'file', ...file }))
  if (!isPossible) return <p>{composer.noMicrophone}</p>
  return (
    <div className={styles.inline}>
      {isRecording ? (
        <Button look="danger" onClick={stop}>
          {composer.stopRecording}
        </Button>
      ) : (
        <Button onClick={() => void start()}>{composer.record}</Button>
      )}
      <span role="timer">{isRecording ? composer.recording(Math.floor(seconds)) : ''}</span>
    </div>
  )
}
