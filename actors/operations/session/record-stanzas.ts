import type { RecordingState } from '../../network/port/recordings.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

/** Starts or stops the recording of the stanzas of the instance. */
export const recordStanzas = operation('recordStanzas', {
  // The second command finds the recording started, or stopped.
  repeat: true,
  example: { recording: true, node: 'n1', file: '/data/recordings/one.jsonl', stanzas: 0, bytes: 70 },
  run: (
    { id, recordings }: InstanceContext,
    { recording }: { readonly recording: boolean },
  ): Promise<RecordingState> => (recording ? recordings.start(id) : recordings.stop(id)),
})
