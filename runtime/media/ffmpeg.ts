/** Converts sound and film by ffmpeg, if it is installed: a child process with bounds on time and size that may read only files. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { GatewayError } from '../../schemas/errors.js'
import { turns } from '../../schemas/turns.js'

export interface Ffmpeg {
  /** Makes mono OGG/OPUS, as clients play voice notes. @throws GatewayError CONVERSION_UNAVAILABLE, MEDIA_TYPE_REFUSED */
  toVoiceNote(from: string, to: string): Promise<void>
  /** @throws GatewayError CONVERSION_UNAVAILABLE, MEDIA_TYPE_REFUSED */
  toMp3(from: string, to: string): Promise<void>
  /** Returns the first picture of a film as JPEG, at most so many pixels wide; null when there is none. */
  firstPicture(film: string, widthPx: number): Promise<Buffer | null>
  /** Returns the loudness in 64 steps from 0 to 100, base64, as clients draw it; null when it cannot be found. */
  waveform(sound: string): Promise<string | null>
  readonly isThere: boolean
}

export interface FfmpegOptions {
  /** Undefined when ffmpeg is not installed. */
  readonly program: string | undefined
  readonly timeoutMs: number
  readonly outputMaxBytes: number
}

const WAVEFORM_STEPS = 64
const WAVEFORM_HZ = 8_000
/** Of longer sounds, only the beginning is drawn. */
const WAVEFORM_MAX_SECONDS = 600
/** Formats of sounds and films in one file, by ffmpeg's names. None of them leads to other files, as playlists do. */
const FORMATS = 'aac,ac3,eac3,aiff,amr,ape,asf,au,avi,caf,flac,flv,matroska,mov,mp3,mpc,mpc8,mpeg,mpegts,ogg,wav,wv'
const AT_ONCE = 2

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
const COMMON = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-threads', '1', ...NO_NETWORK]
const VOICE_NOTE = ['-ac', '1', '-ar', '48000', '-c:a', 'libopus', '-b:a', '32k', '-application', 'voip', '-f', 'ogg']
const MP3 = ['-c:a', 'libmp3lame', '-q:a', '4', '-f', 'mp3']
const SAMPLES = ['-t', String(WAVEFORM_MAX_SECONDS), '-ac', '1', '-ar', String(WAVEFORM_HZ), '-f', 's16le']
const FIRST_PICTURE_MAX_BYTES = 2 * 1024 * 1024

export function createFfmpeg(options: FfmpegOptions): Ffmpeg {
  const program = new FfmpegProgram(options)
  return {
    isThere: options.program !== undefined,
    toVoiceNote: (from, to) => program.convert(from, to, VOICE_NOTE),
    toMp3: (from, to) => program.convert(from, to, MP3),
    firstPicture: (film, widthPx) => program.output(firstPictureOf(film, widthPx), FIRST_PICTURE_MAX_BYTES),
    async waveform(sound) {
      const args = ['-i', `file:${sound}`, '-vn', ...SAMPLES]
      const pcm = await program.output(args, 2 * WAVEFORM_HZ * WAVEFORM_MAX_SECONDS)
      return pcm === null ? null : loudness(pcm)
    },
  }
}

function firstPictureOf(film: string, widthPx: number): readonly string[] {
  const scale = `scale='min(${widthPx},iw)':-2`
  return ['-i', `file:${film}`, '-frames:v', '1', '-vf', scale, '-c:v', 'mjpeg', '-f', 'image2pipe']
}

interface Finished {
  readonly code: number
  /** First line of its error output, without paths. */
  readonly said: string
  readonly out: Buffer
}

class FfmpegProgram {
  readonly #options: FfmpegOptions
  readonly #inTurn = turns(AT_ONCE)

  constructor(options: FfmpegOptions) {
    this.#options = options
  }

  /** @throws GatewayError CONVERSION_UNAVAILABLE, MEDIA_TYPE_REFUSED */
  async convert(from: string, to: string, format: readonly string[]): Promise<void> {
    const limits = ['-fs', String(this.#options.outputMaxBytes)]
    const source = ['-i', `file:${from}`, '-vn', '-map_metadata', '-1']
    const { code, said } = await this.#run([...source, ...format, ...limits, '-y', `file:${to}`])
    if (code !== 0)
      throw new GatewayError('MEDIA_TYPE_REFUSED', {
        details: [{ field: 'file', why: `ffmpeg cannot convert it: ${said}` }],
      })
  }

  /** Returns the beginning of the output; null when it fails or ffmpeg is not installed. */
  async output(args: readonly string[], maxBytes: number): Promise<Buffer | null> {
    if (this.#options.program === undefined) return null
    const failed = () => ({ code: 1, out: Buffer.alloc(0) })
    const { code, out } = await this.#run([...args, 'pipe:1'], maxBytes).catch(failed)
    return code === 0 && out.length > 0 ? out : null
  }

  #run(args: readonly string[], keepBytes = 0): Promise<Finished> {
    const { program, timeoutMs } = this.#options
    if (program === undefined) throw new GatewayError('CONVERSION_UNAVAILABLE')
    return this.#inTurn(() => finish(startProgram(program, args, timeoutMs), keepBytes))
  }
}

/** Starts the program without the environment of this process and without network: a playlist in a file must not reach anything. */
function startProgram(program: string, args: readonly string[], timeoutMs: number): Child {
  return spawn(program, [...COMMON, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '' },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
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
