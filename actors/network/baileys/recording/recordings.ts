import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import { packageRoot, packageVersion } from '../../../../lib/package-root.js'
import { GatewayError } from '../../../../schemas/errors.js'
import type { InstanceId } from '../../../../schemas/ids.js'
import type { RecordingState, Recordings } from '../../port/recordings.js'
import { StanzaRecording } from './recording.js'

// Bound: 65,536, a line of a recording.

export interface RecordingsOptions {
  readonly folder: string
  /** Maximum of files in the folder. 0 allows no recordings. */
  readonly filesMax: number
  readonly nodeId: string
  readonly logger: Logger
}

/** Maximum length of one file: about two thousand stanzas. */
const FILE_MAX_BYTES = 512 * 1_024
const FORMAT = 1

/** Recordings of the instances of this node. */
export class NodeRecordings implements Recordings {
  readonly #options: RecordingsOptions
  readonly #recordings = new Map<InstanceId, StanzaRecording>()
  #starting: Promise<unknown> = Promise.resolve()
  /** Time in the name of the newest file. No two files have the same, so that the oldest one is known. */
  #namedMs = 0

  constructor(options: RecordingsOptions) {
    this.#options = options
  }

  /** Returns the recording of the instance that is under way. Called for each frame, so it must be cheap. */
  of(instance: InstanceId): StanzaRecording | undefined {
    if (this.#recordings.size === 0) return undefined
    const recording = this.#recordings.get(instance)
    return recording?.isActive ? recording : undefined
  }

  async start(instance: InstanceId): Promise<RecordingState> {
    if (this.#options.filesMax === 0)
      throw new GatewayError('NOT_SUPPORTED', { message: 'Recordings are switched off: RECORDINGS_MAX is 0.' })
    // One after the other: each counts the files of those before it.
    const started = this.#starting.then(() => this.#start(instance))
    this.#starting = started.catch(() => {})
    return started
  }

  async #start(instance: InstanceId): Promise<RecordingState> {
    const { folder, filesMax, logger } = this.#options
    if (this.of(instance) !== undefined) return this.#state(instance)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await this.#removeOldest(filesMax - 1)
    this.#namedMs = Math.max(Date.now(), this.#namedMs + 1)
    const name = `${new Date(this.#namedMs).toISOString().replaceAll(/[-:.]/g, '')}-${randomBytes(4).toString('hex')}.jsonl`
    const recording = new StanzaRecording({
      file: path.join(folder, name),
      maxBytes: FILE_MAX_BYTES,
      head: { format: FORMAT, ...versions() },
      onFailure: (error) => logger.warn({ instanceId: instance, err: error }, 'A recording ended: it was not written.'),
    })
    this.#recordings.set(instance, recording)
    await recording.flushed()
    logger.info({ instanceId: instance, file: recording.file }, 'The recording of an instance started.')
    return this.#state(instance)
  }

  async stop(instance: InstanceId): Promise<RecordingState> {
    await this.#recordings.get(instance)?.end()
    return this.#state(instance)
  }

  async read(instance: InstanceId): Promise<RecordingState & { readonly content: string }> {
    const recording = this.#recordings.get(instance)
    await recording?.flushed()
    const content = recording === undefined ? '' : await readFile(recording.file, 'utf8').catch(() => '')
    return { ...this.#state(instance), content }
  }

  #state(instance: InstanceId): RecordingState {
    const recording = this.#recordings.get(instance)
    return {
      recording: recording?.isActive ?? false,
      node: this.#options.nodeId,
      file: recording?.file ?? null,
      stanzas: recording?.stanzas ?? 0,
      bytes: recording?.bytes ?? 0,
    }
  }

  /** Ends and deletes the oldest recordings, so that at most this number of files is left. */
  async #removeOldest(kept: number): Promise<void> {
    const { folder } = this.#options
    // The names begin with the time of the start.
    // Bound: 1,000, recordings of stanzas.
    const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).toSorted()
    for (const name of names.slice(0, Math.max(0, names.length - kept))) {
      const file = path.join(folder, name)
      for (const [instance, recording] of this.#recordings) {
        if (recording.file !== file) continue
        await recording.end()
        this.#recordings.delete(instance)
      }
      await rm(file, { force: true })
    }
  }
}

function versions(): Readonly<Record<string, string>> {
  // Ours: package.json.
  const { dependencies } = JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  return { gateway: packageVersion, baileys: dependencies['@whiskeysockets/baileys'] ?? 'unknown' }
}
