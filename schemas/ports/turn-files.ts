/** Files of messages, as agents show them to models. Types only. */
import type { InstanceId } from '../ids.js'

/** Methods never reject. A file that cannot be had, or not before the signal ends, is left out. */
export interface TurnFiles {
  /** Returns a small JPEG; null if there is none. `message`: internal id. */
  picture(
    instance: InstanceId,
    message: string,
    signal: AbortSignal,
  ): Promise<{ readonly bytes: Uint8Array; readonly mimetype: string } | null>
  /** Returns the words of a recording or a document, which are stored with the message. */
  words(instance: InstanceId, message: string, signal: AbortSignal): Promise<FileWords>
}

export interface FileWords {
  /** Null: they are not known. */
  readonly text: string | null
  /** Name of the file, such as `voice note, 14 min`; null if nothing is known about it. */
  readonly note: string | null
  /** Why they are not known, for the owner of the agent; null if nothing is said about it. */
  readonly why: string | null
}
