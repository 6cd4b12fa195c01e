/** Converts sounds and videos by ffmpeg, if it is installed: a child process with bounds on time, size and memory that may read only files. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { GatewayError } from '../../schemas/errors.js'
import { lowerProcess } from '../work/priority.js'
import type { SharedWork } from '../work/work.js'

// Bound: 65,536, a name, a type or words of ffmpeg.

/** `owner`: the instance for which it runs. */
export interface Ffmpeg {
  /** Makes mono OGG/OPUS, as clients play voice notes. @throws GatewayError CONVERSION_UNAVAILABLE, MEDIA_TYPE_REFUSED, MEDIA_TOO_LARGE, RATE_LIMITED */
  toVoiceNote(owner: string, from: string, to: string): Promise<void>
  /** @throws GatewayError as `toVoiceNote` */
  toMp3(owner: string, from: string, to: string): Promise<void>
  /** Makes an MP4 with H.264 and AAC, as clients play videos. @throws GatewayError as `toVoiceNote`, MEDIA_TOO_LARGE */
  toMp4(owner: string, from: string, to: string): Promise<void>
  /** Returns the length of a sound or video; null when it cannot be found. */
  seconds(owner: string, file: string): Promise<number | null>
  /** Returns the first picture of a video as JPEG, at most so many pixels wide; null when there is none. */
  firstPicture(owner: string, video: string, widthPx: number): Promise<Buffer | null>
  /** Returns the loudness in 64 steps from 0 to 100, base64, as clients draw it; null when it cannot be found. */
  waveform(owner: string, sound: string): Promise<string | null>
  readonly isThere: boolean
}

export interface FfmpegOptions {
  /** Undefined when ffmpeg is not installed. */
  readonly program: string | undefined
  readonly timeoutMs: number
  readonly outputMaxBytes: number
  /** Memory of one conversion. Default: `MEMORY_MAX_BYTES`. */
  readonly memoryMaxBytes?: number
  readonly work: Pick<SharedWork, 'run'>
}

const WAVEFORM_STEPS = 64
const WAVEFORM_HZ = 8_000
/** Of longer sounds, only the beginning is drawn. */
const WAVEFORM_MAX_SECONDS = 600
/** Formats of sounds and videos in one file, by ffmpeg's names. None of them leads to other files, as playlists do. */
const FORMATS = 'aac,ac3,eac3,aiff,amr,ape,asf,au,avi,caf,flac,flv,gif,matroska,mov,mp3,mpc,mpc8,mpeg,mpegts,ogg,wav,wv'

/** Returns the configured program, or else the first on PATH; undefined when there is none. */
export function findFfmpeg(configured: string | undefined, searchPath: string | undefined): string | undefined {
  const candidates =
    configured === undefined
      ? (searchPath ?? '').split(path.delimiter).map((folder) => path.join(folder, 'ffmpeg'))
      : [configured]
  return candidates.find((candidate) => {
    try {
      accessSync(candidate, constants.X_OK)
      return path.isAbsolute(candidate)
    } catch {
      return false
    }
  })
}

const NO_NETWORK = ['-protocol_whitelist', 'file,pipe', '-format_whitelist', FORMATS]
/** Maximum memory of one conversion. H.264 of the largest size takes 250 MB; a hostile file would take all that there is. */
const MEMORY_MAX_BYTES = 1024 * 1024 * 1024
/** Starts a program with a limit of its data, in KiB. Node.js has no call for it; a system that cannot limit starts the program all the same. */
const WITH_LIMIT = 'ulimit -d "$1" 2>/dev/null; shift; exec "$@"'
/** Pixels of a frame at most: a video of 4,096 by 2,304. A decoder may hold 16 frames. */
const FRAME_PIXELS_MAX = 10_000_000
const BOUNDS = ['-threads', '1', '-max_pixels', String(FRAME_PIXELS_MAX)]
const COMMON = ['-nostdin', '-hide_banner', '-loglevel', 'error', ...BOUNDS, ...NO_NETWORK]
const SOUND_ONLY = ['-vn']
const VOICE_NOTE = [
  ...SOUND_ONLY,
  '-ac',
  '1',
  '-ar',
  '48000',
  '-c:a',
  'libopus',
  '-b:a',
  '32k',
  '-application',
  'voip',
  '-f',
  'ogg',
]
const MP3 = [...SOUND_ONLY, '-c:a', 'libmp3lame', '-q:a', '4', '-f', 'mp3']
/** Both sides are even, as H.264 needs them, and at most 1,280 pixels, as clients send them. */
const MP4_SIZE = "scale='min(1280,iw)':'min(1280,ih)':force_original_aspect_ratio=decrease:force_divisible_by=2"
const MP4 = [
  ...['-map', '0:v:0', '-map', '0:a:0?', '-sn', '-dn', '-vf', MP4_SIZE, '-fpsmax', '30', '-pix_fmt', 'yuv420p'],
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '26', '-threads', '1'],
  ...['-c:a', 'aac', '-b:a', '96k', '-ac', '2', '-movflags', '+faststart', '-f', 'mp4'],
]
/** Reads all packets without decoding them, and reports how far it is. */
const LENGTH = ['-map', '0:v:0?', '-map', '0:a:0?', '-c', 'copy', '-progress', 'pipe:1', '-f', 'null']
const PROGRESS_MAX_BYTES = 128 * 1024
const SAMPLES = ['-t', String(WAVEFORM_MAX_SECONDS), '-ac', '1', '-ar', String(WAVEFORM_HZ), '-f', 's16le']
const FIRST_PICTURE_MAX_BYTES = 2 * 1024 * 1024

export function createFfmpeg(options: FfmpegOptions): Ffmpeg {
  const program = new FfmpegProgram(options)
  return {
    isThere: options.program !== undefined,
    toVoiceNote: (owner, from, to) => program.convert(owner, from, to, VOICE_NOTE),
    toMp3: (owner, from, to) => program.convert(owner, from, to, MP3),
    toMp4: (owner, from, to) => program.convert(owner, from, to, MP4),
    async seconds(owner, file) {
      const progress = await program.output(owner, ['-i', `file:${file}`, ...LENGTH], PROGRESS_MAX_BYTES)
      const last = [...(progress?.toString('latin1') ?? '').matchAll(/^out_time_us=(\d{1,15})$/gm)].at(-1)
      return last === undefined ? null : Number(last[1]) / 1_000_000
    },
    firstPicture: (owner, video, widthPx) =>
      program.output(owner, listFirstPictureArguments(video, widthPx), FIRST_PICTURE_MAX_BYTES),
    async waveform(owner, sound) {
      const args = ['-i', `file:${sound}`, '-vn', ...SAMPLES]
      const pcm = await program.output(owner, args, 2 * WAVEFORM_HZ * WAVEFORM_MAX_SECONDS)
      return pcm === null ? null : loudness(pcm)
    },
  }
}

function listFirstPictureArguments(video: string, widthPx: number): readonly string[] {
  const scale = `scale='min(${widthPx},iw)':-2`
  return ['-i', `file:${video}`, '-frames:v', '1', '-vf', scale, '-c:v', 'mjpeg', '-f', 'image2pipe']
}

interface Finished {
  readonly code: number
  /** First line of its error output, without paths. */
  readonly said: string
  readonly out: Buffer
}

class FfmpegProgram {
  readonly #options: FfmpegOptions

  constructor(options: FfmpegOptions) {
    this.#options = options
  }

  /** @throws GatewayError CONVERSION_UNAVAILABLE, MEDIA_TYPE_REFUSED, RATE_LIMITED */
  async convert(owner: string, from: string, to: string, format: readonly string[]): Promise<void> {
    const { outputMaxBytes } = this.#options
    // It ends there as if the file did.
    const limits = ['-fs', String(outputMaxBytes + 1)]
    const source = ['-i', `file:${from}`, '-map_metadata', '-1']
    const { code, said } = await this.#run(owner, [...source, ...format, ...limits, '-y', `file:${to}`])
    if (code !== 0)
      throw new GatewayError('MEDIA_TYPE_REFUSED', {
        details: [{ field: 'file', why: `ffmpeg cannot convert it: ${said}` }],
      })
    if ((await stat(to)).size > outputMaxBytes)
      throw new GatewayError('MEDIA_TOO_LARGE', { fields: { limit_bytes: outputMaxBytes } })
  }

  /** Returns the beginning of the output; null when it fails or ffmpeg is not installed. */
  async output(owner: string, args: readonly string[], maxBytes: number): Promise<Buffer | null> {
    if (this.#options.program === undefined) return null
    const failed = () => ({ code: 1, out: Buffer.alloc(0) })
    const { code, out } = await this.#run(owner, [...args, 'pipe:1'], maxBytes).catch(failed)
    return code === 0 && out.length > 0 ? out : null
  }

  #run(owner: string, args: readonly string[], keepBytes = 0): Promise<Finished> {
    const { program, timeoutMs, memoryMaxBytes = MEMORY_MAX_BYTES, work } = this.#options
    if (program === undefined) throw new GatewayError('CONVERSION_UNAVAILABLE')
    const limits = { timeoutMs, memoryMaxBytes }
    return work.run('convert', owner, () => finish(startProgram(program, args, limits), keepBytes))
  }
}

/** Starts the program without the environment of this process and without network: a playlist in a file must not reach anything. */
function startProgram(
  program: string,
  args: readonly string[],
  { timeoutMs, memoryMaxBytes }: Required<Pick<FfmpegOptions, 'timeoutMs' | 'memoryMaxBytes'>>,
): Child {
  const limited = ['-c', WITH_LIMIT, 'sh', String(Math.ceil(memoryMaxBytes / 1024)), program]
  const child = spawn('/bin/sh', [...limited, ...COMMON, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '' },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  lowerProcess(child.pid)
  return child
}

type Child = ChildProcessByStdio<null, Readable, Readable>

function finish(child: Child, keepBytes: number): Promise<Finished> {
  return new Promise((resolve) => {
    const out = collect(child, keepBytes)
    let said = ''
    child.stderr.on('data', (data: Buffer) => {
      if (said.length < 300) said += data.toString()
    })
    child.once('error', (error) => resolve({ code: 1, said: error.message, out: Buffer.alloc(0) }))
    child.once('close', (code, signal) => {
      const why = signal === null ? said.split('\n')[0]?.slice(0, 200) : 'it took too long'
      resolve({ code: code ?? 1, said: withoutPaths(why ?? ''), out: out() })
    })
  })
}

function collect(child: Child, keepBytes: number): () => Buffer {
  const parts: Buffer[] = []
  let length = 0
  child.stdout.on('data', (data: Buffer) => {
    if (length < keepBytes) parts.push(data)
    length += data.length
  })
  return () => Buffer.concat(parts).subarray(0, keepBytes)
}

/** Hides the paths of this node from callers. */
function withoutPaths(text: string): string {
  return text.replaceAll(/(file:)?\/[^\s'":]+/g, 'the file')
}

/** Returns the mean of each of 64 parts, scaled so that the loudest is 100. */
function loudness(pcm: Buffer): string {
  const samples = Math.floor(pcm.length / 2)
  const part = Math.max(1, Math.floor(samples / WAVEFORM_STEPS))
  const means = Array.from({ length: WAVEFORM_STEPS }, (_, step) => {
    let sum = 0
    let count = 0
    for (let index = step * part; index < Math.min(samples, (step + 1) * part); index++) {
      sum += Math.abs(pcm.readInt16LE(index * 2))
      count++
    }
    return count === 0 ? 0 : sum / count
  })
  const loudest = Math.max(1, ...means)
  return Buffer.from(means.map((mean) => Math.round((100 * mean) / loudest))).toString('base64')
}
