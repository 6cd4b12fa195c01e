/** Texts of recordings, and the port that makes them. Types only. */
import type { InstanceId } from '../ids.js'

/** Whose recording of a message it is. */
export type SpokenFile = 'own' | 'quoted'

export interface MessageTexts {
  /** `message`: internal id. Null: there is none. */
  read(instance: InstanceId, message: string, file?: SpokenFile): Promise<string | null>
  /** The first text stays. */
  write(instance: InstanceId, message: string, text: string, file?: SpokenFile): Promise<void>
}

export interface Recording {
  /** Internal id of its message. */
  readonly message: string
  readonly file: SpokenFile
  /** Length by its sender; null if unknown. */
  readonly seconds: number | null
}

export interface Transcriptions {
  /**
   * Returns the text of a recording, of at most 25 MB and 10 minutes. It is stored: the provider is asked once.
   * `apiKey` null: that of the instance's settings.
   * @throws GatewayError TRANSCRIPTION_REFUSED, TRANSCRIPTION_UNAVAILABLE, MEDIA_TOO_LARGE, and as `MediaService.open`
   */
  of(instance: InstanceId, recording: Recording, apiKey: string | null): Promise<string>
}
