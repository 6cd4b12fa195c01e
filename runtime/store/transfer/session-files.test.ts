import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { readSessionFiles } from './session-files.js'

const read = async (...parts: (Buffer | string)[]) =>
  await readSessionFiles(
    (async function* () {
      for (const part of parts) yield Buffer.from(part)
    })(),
  )

/** An entry of a tar archive. */
function entry(name: string, content: string, type = '0', size = content.length): Buffer {
  const head = Buffer.alloc(512)
  head.write(name, 0, 100)
  head.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  head.write(type, 156)
  head.write('ustar\0', 257)
  return Buffer.concat([head, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)])
}

describe('the files of a session', () => {
  it('are read from the plain files of a tar archive, with or without gzip', async () => {
    const long = `sender-key-${'1'.repeat(120)}.json`
    const tar = Buffer.concat([
      entry('./', '', '5'),
      entry('./auth/creds.json', '{"a":1}'),
      entry('evil.json', '', '2'),
      entry('../../etc/passwd', 'x'),
      entry('././@LongLink', `auth/${long}\0`, 'L'),
      entry(`auth/${long}`.slice(0, 100), '{}'),
      Buffer.alloc(1_024),
    ])
    for (const bytes of [tar, gzipSync(tar)])
      assert.deepEqual(
        [...(await read(bytes.subarray(0, 700), bytes.subarray(700)))],
        [
          ['creds.json', '{"a":1}'],
          [long, '{}'],
        ],
      )
  })

  it('are read from a JSON document in either form', async () => {
    assert.deepEqual(
      [...(await read('{"creds.json":{"a":1},"pre-key-1":"{\\"b\\":2}"}'))],
      [
        ['creds.json', '{"a":1}'],
        ['pre-key-1.json', '{"b":2}'],
      ],
    )
    assert.deepEqual(
      [...(await read('{"creds":{"a":1},"keys":{"pre-key":{"1":{"b":2}},"none":7}}'))],
      [
        ['creds.json', '{"a":1}'],
        ['pre-key-1.json', '{"b":2}'],
      ],
    )
  })

  it('are refused when they are broken, huge, deep or many, and say so', async () => {
    const refused: [Buffer | string, RegExp][] = [
      ['', /neither a JSON document nor a tar archive/],
      ['[]', /must hold an object/],
      [gzipSync('{}').subarray(0, 12), /is damaged/],
      [gzipSync(Buffer.alloc(65 * 2 ** 20)), /larger than 67108864 bytes/],
      [Buffer.alloc(9 * 2 ** 20, ' '), /JSON document of more than 8388608 bytes/],
      [`{"creds.json":${'['.repeat(40)}${']'.repeat(40)}}`, /too many values or levels/],
      [Buffer.concat([entry('creds.json', '{}'), entry('b/creds.json', '{}')]), /creds.json is there twice/],
      [Buffer.concat([entry('creds.json', '{}', '0', 10_000), Buffer.alloc(512)]), /damaged tar archive/],
      [Buffer.concat([entry('creds.json', 'x'.repeat(2 ** 20 + 1))]), /larger than 1048576 bytes/],
      [Buffer.concat([entry('creds.json', '['.repeat(40)), Buffer.alloc(512)]), /too many values or levels/],
    ]
    for (const [bytes, why] of refused) await assert.rejects(read(bytes), { code: 'INVALID_SESSION', message: why })
  })
})
