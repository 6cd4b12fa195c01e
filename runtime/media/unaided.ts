/** What is converted without ffmpeg: voice messages of browsers and pictures of iPhones, in a thread for each. */
import { GatewayError } from '../../schemas/errors.js'
import { pictureLibrary } from '../../schemas/picture-library.js'
import { runInThread, ThreadFailed, type ThreadFailure } from '../work/task-thread.js'
import type { SharedWork } from '../work/work.js'
import type { FromMediaWorker, MediaTask } from './media-worker.js'
import { RefusedFile } from './pictures.js'

/** `owner`: the instance for which it works. Each call waits for its turn. @throws GatewayError RATE_LIMITED when too many wait */
export interface UnaidedConversions {
  /** Moves the Opus sound of a WebM, Matroska or MP4 file into an Ogg file as it is. @throws RefusedFile, GatewayError CONVERSION_UNAVAILABLE when it is not Opus */
  toOgg(owner: string, from: string, to: string): Promise<void>
  /** Makes a JPEG of a HEIC picture. @throws RefusedFile */
  heicToJpeg(owner: string, from: string, to: string): Promise<void>
}

/** A picture of 24 million pixels, as phones make them by default, takes 100 MB, and as much again while it is decoded. */
const HEIC_PIXELS_MAX = 25_000_000
const TIMEOUT_MS = 60_000
const HEAP_MIB = 256
const JPEG_TIMEOUT_SECONDS = 20

export function createUnaidedConversions(work: Pick<SharedWork, 'run'>, timeoutMs = TIMEOUT_MS): UnaidedConversions {
  return {
    toOgg: (owner, from, to) =>
      work.run('convert', owner, async () => {
        const { type } = await inThread({ type: 'repack', from, to }, timeoutMs)
        if (type === 'not-opus') throw new GatewayError('CONVERSION_UNAVAILABLE')
      }),
    heicToJpeg: (owner, from, to) =>
      work.run('picture', owner, async () => {
        const decoded = await inThread({ type: 'heic', from, pixelsMax: HEIC_PIXELS_MAX }, timeoutMs)
        if (decoded.type !== 'pixels') throw new Error('The thread answered something else.')
        const { pixels, width, height } = decoded
        const picture = (await pictureLibrary())(pixels, { raw: { width, height, channels: 4 } })
        const flat = picture.flatten({ background: '#ffffff' }).jpeg({ quality: 85 })
        await flat.timeout({ seconds: JPEG_TIMEOUT_SECONDS }).toFile(to)
      }),
  }
}

async function inThread(
  data: MediaTask,
  timeoutMs: number,
): Promise<Exclude<FromMediaWorker, { type: 'refused' | 'disk' }>> {
  const module = new URL('./media-worker.js', import.meta.url)
  const answer = await runInThread<FromMediaWorker>({ module, data, timeoutMs, heapMiB: HEAP_MIB }).catch(
    (error: unknown) => {
      throw error instanceof ThreadFailed ? new RefusedFile(REASONS[error.failure]) : error
    },
  )
  if (answer.type === 'disk') throw Object.assign(new Error('The disk took no file.'), { code: answer.code })
  if (answer.type === 'refused') throw new RefusedFile(answer.reason)
  return answer
}

const REASONS: Readonly<Record<ThreadFailure, string>> = {
  timeout: 'it takes too long to read',
  memory: 'it takes too much memory to read',
  broken: 'it is broken',
}
