import type { RecordingState } from '../../network/port/recordings.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

/** Reads the latest recording of the stanzas of the instance. */
export const readRecording = operation('readRecording', {
  // It changes nothing.
  repeat: true,
  example: { recording: false, node: 'n1', file: '/data/recordings/one.jsonl', stanzas: 0, bytes: 70, content: '' },
  run: ({ id, recordings }: InstanceContext): Promise<RecordingState & { readonly content: string }> =>
    recordings.read(id),
})
