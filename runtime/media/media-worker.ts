/** The thread that reads one file in place of ffmpeg and sharp. It is made for the file and ended after it. */
import { readFile, stat } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { lowerThread } from '../work/priority.js'
import { isFull } from './file-refusals.js'

export type MediaTask =
  | { readonly type: 'repack'; readonly from: string; readonly to: string }
  | { readonly type: 'heic'; readonly from: string; readonly pixelsMax: number }

/** `pixels`: four bytes each, red, green, blue and alpha. */
export type FromMediaWorker =
  | { readonly type: 'repacked' }
  | {
      readonly type: 'pixels'
      readonly width: number
      readonly height: number
      readonly pixels: Uint8Array<ArrayBuffer>
    }
  /** The sound is of another kind: only ffmpeg can convert it. */
  | { readonly type: 'not-opus' }
  | { readonly type: 'refused'; readonly reason: string }
  /** The disk is full or broken: the file may be good. */
  | { readonly type: 'disk'; readonly code: string }

/** A refusal whose message is for the person who gave the file. */
class Refused extends Error {}

/** A voice message of hours, and a picture of the largest sensors. The file is in memory, once or twice. */
const SOURCE_MAX_BYTES = 64 * 1024 * 1024
/** Of 2.5 ms each, the shortest of Opus: more than an hour; of 20 ms, as browsers make them: eleven hours. */
const PACKETS_MAX = 2_000_000

lowerThread()
const { answer, transfer = [] } = await act(workerData as MediaTask)
parentPort?.postMessage(answer, [...transfer])

interface Acted {
  readonly answer: FromMediaWorker
  readonly transfer?: readonly ArrayBuffer[]
}

async function act(task: MediaTask): Promise<Acted> {
  try {
    return task.type === 'repack' ? await repack(task.from, task.to) : await decodeHeic(task.from, task.pixelsMax)
  } catch (error) {
    if (isFull(error)) return { answer: { type: 'disk', code: String((error as NodeJS.ErrnoException).code) } }
    const reason = error instanceof Refused ? error.message : 'it is broken'
    return { answer: { type: 'refused', reason } }
  }
}

/** Moves the Opus packets of a sound into an Ogg file as they are. */
async function repack(from: string, to: string): Promise<Acted> {
  const media = await import('mediabunny')
  const input = new media.Input({ source: new media.BufferSource(await readBytes(from)), formats: media.ALL_FORMATS })
  if (!(await input.canRead())) return { answer: { type: 'not-opus' } }
  const track = await input.getPrimaryAudioTrack()
  if (track === null) throw new Refused('it has no sound')
  if (track.codec !== 'opus') return { answer: { type: 'not-opus' } }
  const output = new media.Output({ format: new media.OggOutputFormat(), target: new media.FilePathTarget(to) })
  const source = new media.EncodedAudioPacketSource('opus')
  output.addAudioTrack(source)
  await output.start()
  const decoderConfig = (await track.getDecoderConfig()) ?? undefined
  let count = 0
  let first: number | undefined
  for await (const packet of new media.EncodedPacketSink(track).packets()) {
    count += 1
    if (count > PACKETS_MAX) throw new Refused('it is too long')
    // A recording that was cut out of another does not begin at zero.
    first ??= packet.timestamp
    const meta = decoderConfig === undefined ? undefined : { decoderConfig }
    await source.add(packet.clone({ timestamp: packet.timestamp - first }), meta)
  }
  if (count === 0) throw new Refused('it has no sound')
  await output.finalize()
  return { answer: { type: 'repacked' } }
}

/** What the library gives, which its types do not say. */
interface HeicPicture {
  readonly width: number
  readonly height: number
  decode(): Promise<{ readonly data: Uint8ClampedArray<ArrayBuffer> }>
}

async function decodeHeic(from: string, pixelsMax: number): Promise<Acted> {
  const { default: decode } = await import('heic-decode')
  const [picture] = (await decode.all({ buffer: await readBytes(from) })) as unknown as readonly HeicPicture[]
  if (picture === undefined) throw new Refused('it has no picture')
  const { width, height } = picture
  if (width * height > pixelsMax) throw new Refused(`it has more than ${pixelsMax / 1_000_000} million pixels`)
  const { data } = await picture.decode()
  const pixels = new Uint8Array(data.buffer)
  return { answer: { type: 'pixels', width, height, pixels }, transfer: [pixels.buffer] }
}

async function readBytes(file: string): Promise<Uint8Array<ArrayBuffer>> {
  const { size } = await stat(file)
  if (size > SOURCE_MAX_BYTES) throw new Refused(`it has more than ${SOURCE_MAX_BYTES / 1024 / 1024} MiB`)
  return new Uint8Array(await readFile(file))
}
