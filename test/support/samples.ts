/** Small files of every kind, made here: whoever looks into them finds what they are. */
import { randomBytes } from 'node:crypto'
import sharp from 'sharp'

/** A JPEG that hardly shrinks; its pixels are of chance. */
export async function jpeg(width = 400, height = 300): Promise<Buffer> {
  const raw = { width, height, channels: 3 } as const
  return await sharp(randomBytes(width * height * 3), { raw })
    .jpeg({ quality: 90 })
    .toBuffer()
}

export async function png(width = 60, height = 40): Promise<Buffer> {
  return await sharp({ create: { width, height, channels: 4, background: '#ff000080' } })
    .png()
    .toBuffer()
}

/** An MP4 with nothing to play. */
export function mp4(sizeBytes = 2_000): Buffer {
  const type = Buffer.from('isom\0\0\x02\0isommp42', 'latin1')
  return Buffer.concat([box('ftyp', type), box('mdat', randomBytes(sizeBytes))])
}

/** One channel, 312 samples to skip, 48 kHz (RFC 7845). */
const OPUS_HEAD = Buffer.from('OpusHead\x01\x01\x38\x01\x80\xbb\0\0\0\0\0', 'latin1')

/** The head of OGG/OPUS, as voice notes have it. */
export function opus(): Buffer {
  const page = Buffer.alloc(28)
  page.write('OggS', 0, 'latin1')
  page.writeUInt8(2, 5)
  page.writeUInt8(1, 26)
  page.writeUInt8(19, 27)
  return Buffer.concat([page, OPUS_HEAD, randomBytes(500)])
}

/** Silence of so many seconds. */
export function wav(seconds = 2): Buffer {
  const data = Buffer.alloc(seconds * 16_000)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(16_000, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

function box(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.length, 0)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, content])
}

/** A picture of 96 by 64 pixels as iPhones make them, in one red. */
export function heic(): Buffer {
  return Buffer.from(RED_HEIC.join(''), 'base64')
}

const RED_HEIC = [
  'AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAUJtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAA',
  'AAAAAA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAFmAAEAAAAAAAAAGwAAACNpaW5mAAAAAAABAAAAFWluZmUC',
  'AAAAAAEAAGh2YzEAAAAAwmlwcnAAAACkaXBjbwAAAHhodmNDAQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNw',
  'AAADAJAAAAMAAAMAHroCQCEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoDCBBZbqSSmubgQEDAgAAAMACAAAAwAIQCIAAQAHRAHB',
  'crAiQAAAABRpc3BlAAAAAAAAAGAAAABAAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAoMAAAAjbWRhdAAA',
  'ABcoAa8ZgPd8hTf/9MLf9+Wv+EAV4rQrPA==',
]

/** A voice message as browsers record it: WebM with Opus, of which the length is not known before the end. */
export async function webmVoice(seconds: number): Promise<Buffer> {
  const { BufferTarget, EncodedAudioPacketSource, EncodedPacket, Output, WebMOutputFormat } = await import('mediabunny')
  const output = new Output({ format: new WebMOutputFormat({ appendOnly: true }), target: new BufferTarget() })
  const source = new EncodedAudioPacketSource('opus')
  output.addAudioTrack(source)
  await output.start()
  const decoderConfig = { codec: 'opus', sampleRate: 48_000, numberOfChannels: 1, description: OPUS_HEAD }
  for (let index = 0; index < seconds * 50; index += 1)
    await source.add(new EncodedPacket(SILENCE, 'key', 7 + index / 50, 1 / 50), { decoderConfig })
  await output.finalize()
  return Buffer.from(output.target.buffer ?? new ArrayBuffer(0))
}

/** 20 ms without a sound (RFC 6716). */
const SILENCE = Uint8Array.of(0xf8, 0xff, 0xfe)
