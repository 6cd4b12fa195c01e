/** Recordings of the stanzas of an instance, for reports. Types only. */
import type { InstanceId } from '../../../schemas/ids.js'

/** Starts and stops recordings on this node. */
export interface Recordings {
  /**
   * Records the instance from now on, or goes on with the recording that is under way. Ends and deletes the oldest recordings beyond the limit.
   * @throws GatewayError NOT_SUPPORTED if the setting allows no recordings
   */
  start(instance: InstanceId): Promise<RecordingState>
  /** Ends the recording. Its file stays. */
  stop(instance: InstanceId): Promise<RecordingState>
  /** Returns the latest recording that this node has made of the instance since its start. */
  read(instance: InstanceId): Promise<RecordingState & { readonly content: string }>
}

export interface RecordingState {
  readonly recording: boolean
  readonly node: string
  /** Path of the file on that node; null if there is no recording. */
  readonly file: string | null
  readonly stanzas: number
  readonly bytes: number
}
