// Bound: 8, the head of a packet.

/** Measures sounds by what a decoder would make of them. Headers are not believed: the length of a sound is what a provider charges for. */

/** Duration of a frame of Opus in milliseconds, by the first five bits of a packet (RFC 6716, 3.1). */
const OPUS_FRAME_MS = [
  ...[10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 40, 60],
  ...[10, 20, 10, 20],
  ...[2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20],
]
const OGG_HEADER_BYTES = 27
const PACKET_GOES_ON = 255
/** Place of the format in a WAV. */
const WAVE_FORMAT = 12
/** Place of the first frame behind tags, at most. */
const MP3_PADDING_MAX = 4_096
/** Kilobits per second of MPEG 1 layer 3, and of MPEG 2 and 2.5, by the index in a frame. 0: not allowed. */
const MPEG1_KBITS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0]
const MPEG2_KBITS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0]
const MPEG1_HERTZ = [44_100, 48_000, 32_000, 0]

/**
 * Returns the seconds of a sound: ogg with Opus, MP3, or WAV. Stops when it is longer than `most`, and returns more than that.
 * Null: it is of another type, and can be of any length.
 */
export function secondsOfSound(bytes: Buffer, most: number): number | null {
  if (bytes.toString('latin1', 0, 4) === 'OggS') return secondsOfOpus(bytes, most)
  if (bytes.toString('latin1', 0, 4) === 'RIFF') return secondsOfWave(bytes)
  return secondsOfMp3(bytes, most)
}

/** Adds up the packets. The positions that pages name may be anything. */
function secondsOfOpus(bytes: Buffer, most: number): number | null {
  if (!bytes.subarray(0, 512).includes('OpusHead')) return null
  let ms = 0
  for (let page = 0; page >= 0 && page + OGG_HEADER_BYTES < bytes.length; page = bytes.indexOf('OggS', page)) {
    const segments = bytes[page + OGG_HEADER_BYTES - 1] as number
    const table = page + OGG_HEADER_BYTES
    // The first bytes belong to the packet before, if the page says so: decoders drop them otherwise.
    let isContinued = ((bytes[page + 5] as number) & 1) === 1
    let at = table + segments
    for (let segment = 0; segment < segments; segment += 1) {
      const size = bytes[table + segment] ?? 0
      if (!isContinued && size > 0) ms += packetMs(bytes, at)
      isContinued = size === PACKET_GOES_ON
      at += size
    }
    if (ms > most * 1_000) break
    page = Math.max(page + 4, Math.min(at, bytes.length))
  }
  return ms / 1_000
}

function packetMs(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0
  const isHeader = first === 0x4f && /^Opus(Head|Tags)$/.test(bytes.toString('latin1', at, at + 8))
  if (isHeader) return 0
  const kind = first & 3
  const frames = kind === 0 ? 1 : kind < 3 ? 2 : (bytes[at + 1] ?? 0) & 63
  return frames * (OPUS_FRAME_MS[first >> 3] as number)
}

/** Takes all bytes for samples, at the rate that a decoder plays them. */
function secondsOfWave(bytes: Buffer): number | null {
  const format = WAVE_FORMAT
  if (bytes.length < format + 24 || bytes.toString('latin1', 8, 16) !== 'WAVEfmt ') return null
  const channels = bytes.readUInt16LE(format + 10)
  const hertz = bytes.readUInt32LE(format + 12)
  const bits = bytes.readUInt16LE(format + 22)
  const bytesPerSecond = (hertz * channels * bits) / 8
  // Compressed WAV says other things here.
  const isPlain = bytes.readUInt16LE(format + 8) === 1 && bytesPerSecond > 0
  return isPlain ? bytes.length / bytesPerSecond : null
}

/** Adds up the frames. What stands between them is skipped, as decoders do. Null: most of it is something else. */
function secondsOfMp3(bytes: Buffer, most: number): number | null {
  const first = firstFrame(bytes)
  if (first < 0) return null
  let at = first
  let seconds = 0
  let others = 0
  while (at >= 0 && at + 4 <= bytes.length && seconds <= most) {
    const frame = frameAt(bytes, at)
    const next = frame === null ? bytes.indexOf(0xff, at + 1) : at + frame.bytes
    if (frame === null) others += (next < 0 ? bytes.length : next) - at
    else seconds += frame.seconds
    at = next
  }
  return others > (bytes.length - first) / 2 ? null : seconds
}

/** Returns the place of the first frame, behind tags. Two frames in a row are no chance. */
function firstFrame(bytes: Buffer): number {
  const hasTags = bytes.toString('latin1', 0, 3) === 'ID3' && bytes.length > 10
  const tags = hasTags ? 10 + bytes.subarray(6, 10).reduce((size, part) => size * 128 + (part & 127), 0) : 0
  for (let at = tags; at < Math.min(tags + MP3_PADDING_MAX, bytes.length); at += 1) {
    const frame = frameAt(bytes, at)
    if (frame !== null && frameAt(bytes, at + frame.bytes) !== null) return at
  }
  return -1
}

function frameAt(bytes: Buffer, at: number): { readonly bytes: number; readonly seconds: number } | null {
  if (at + 4 > bytes.length) return null
  const [sync = 0, kind = 0, rate = 0] = bytes.subarray(at, at + 3)
  const version = (kind >> 3) & 3
  if (sync !== 0xff || kind >> 5 !== 7 || version === 1 || ((kind >> 1) & 3) !== 1) return null
  const isFirst = version === 3
  const kbits = (isFirst ? MPEG1_KBITS : MPEG2_KBITS)[rate >> 4] as number
  const hertz = (MPEG1_HERTZ[(rate >> 2) & 3] as number) / (isFirst ? 1 : version === 2 ? 2 : 4)
  if (kbits === 0 || hertz === 0) return null
  const samples = isFirst ? 1_152 : 576
  return { bytes: Math.floor((samples * kbits * 125) / hertz) + ((rate >> 1) & 1), seconds: samples / hertz }
}
