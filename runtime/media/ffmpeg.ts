/** Conversions of sound and film by ffmpeg, where there is one: a child with bounds on time and size, that may read files only. */
import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { GatewayError } from '../../schemas/errors.js'

export interface Ffmpeg {
  /** Mono OGG/OPUS, as clients play voice notes. @throws GatewayError CONVERSION_UNAVAILABLE, MEDIA_TYPE_REFUSED */
  toVoiceNote(from: string, to: string): Promise<void>
  /** @throws GatewayError CONVERSION_UNAVAILABLE, MEDIA_TYPE_REFUSED */
  toMp3(from: string, to: string): Promise<void>
  /** The first picture of a film as JPEG, at most so many pixels wide; null when that cannot be had. */
  firstPicture(film: string, widthPx: number): Promise<Buffer | null>
  /** The loudness in 64 steps from 0 to 100, base64, as clients draw it; null when that cannot be had. */
  waveform(sound: string): Promise<string | null>
  readonly isThere: boolean
}

export interface FfmpegOptions {
  /** Undefined: there is none. */
  readonly program: string | undefined
  readonly timeoutMs: number
  readonly outputMaxBytes: number
}

const WAVEFORM_STEPS = 64
const WAVEFORM_HZ = 8_000
/** Loudness is drawn from the beginning of longer sounds. */
const WAVEFORM_MAX_SECONDS = 600
/** Sounds and films in one file, by ffmpeg's names. What leads to other files (playlists, lists to be joined) is none of them. */
const FORMATS = 'aac,ac3,eac3,aiff,amr,ape,asf,au,avi,caf,flac,flv,matroska,mov,mp3,mpc,mpc8,mpeg,mpegts,ogg,wav,wv'
const AT_ONCE = 2

/** The one that is configured, else the first on PATH; undefined when there is none. */
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

export function createFfmpeg({ program, timeoutMs, outputMaxBytes }: FfmpegOptions): Ffmpeg {
  const inTurn = turns(AT_ONCE)

  async function convert(from: string, to: string, format: readonly string[]): Promise<void> {
    const limits = ['-fs', String(outputMaxBytes)]
    const { code, said } = await run([
      '-i',
      `file:${from}`,
      '-vn',
      '-map_metadata',
      '-1',
      ...format,
      ...limits,
      '-y',
      `file:${to}`,
    ])
    if (code !== 0)
      throw new GatewayError('MEDIA_TYPE_REFUSED', {
        details: [{ field: 'file', why: `ffmpeg cannot convert it: ${said}` }],
      })
  }

  async function output(args: readonly string[], maxBytes: number): Promise<Buffer | null> {
    if (program === undefined) return null
    const { code, out } = await run([...args, 'pipe:1'], maxBytes).catch(() => ({ code: 1, out: Buffer.alloc(0) }))
    return code === 0 && out.length > 0 ? out : null
  }

  function run(args: readonly string[], keepBytes = 0): Promise<{ code: number; said: string; out: Buffer }> {
    if (program === undefined) throw new GatewayError('CONVERSION_UNAVAILABLE')
    const command = program
    return inTurn(
      () =>
        new Promise((resolve) => {
          // Nothing of the environment, no network: a playlist inside a file must not reach anything.
          const common = [
            '-nostdin',
            '-hide_banner',
            '-loglevel',
            'error',
            '-threads',
            '1',
            '-protocol_whitelist',
            'file,pipe',
            '-format_whitelist',
            FORMATS,
          ]
          const child = spawn(command, [...common, ...args], {
            stdio: ['ignore', 'pipe', 'pipe'],
            env: { PATH: process.env.PATH ?? '' },
            timeout: timeoutMs,
            killSignal: 'SIGKILL',
          })
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
        }),
    )
  }

  return {
    isThere: program !== undefined,
    toVoiceNote: (from, to) =>
      convert(from, to, [
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
      ]),
    toMp3: (from, to) => convert(from, to, ['-c:a', 'libmp3lame', '-q:a', '4', '-f', 'mp3']),
    firstPicture: (film, widthPx) =>
      output(
        [
          '-i',
          `file:${film}`,
          '-frames:v',
          '1',
          '-vf',
          `scale='min(${widthPx},iw)':-2`,
          '-c:v',
          'mjpeg',
          '-f',
          'image2pipe',
        ],
        2 * 1024 * 1024,
      ),
    async waveform(sound) {
      const samples = ['-t', String(WAVEFORM_MAX_SECONDS), '-ac', '1', '-ar', String(WAVEFORM_HZ), '-f', 's16le']
      const pcm = await output(['-i', `file:${sound}`, '-vn', ...samples], 2 * WAVEFORM_HZ * WAVEFORM_MAX_SECONDS)
      return pcm === null ? null : loudness(pcm)
    },
  }
}

function collect(child: ChildProcess, keepBytes: number): () => Buffer {
  const parts: Buffer[] = []
  let length = 0
  child.stdout?.on('data', (data: Buffer) => {
    if (length < keepBytes) parts.push(data)
    length += data.length
  })
  return () => Buffer.concat(parts).subarray(0, keepBytes)
}

/** Where we keep files is not the caller's business. */
function withoutPaths(text: string): string {
  return text.replaceAll(/(file:)?\/[^\s'":]+/g, 'the file')
}

/** The mean of each of 64 parts, the loudest of which is 100. */
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

/** So many at a time; the others wait for their turn. */
export function turns(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let active = 0
  return async (work) => {
    if (active < atOnce) active += 1
    else await new Promise<void>((go) => waiting.push(go))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) active -= 1
      else next()
    }
  }
}
