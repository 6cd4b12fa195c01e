import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { it } from 'node:test'
import { fileAnswer } from './index.js'

it('a file is given under any name, also one that holds half of a character', () => {
  for (const [fileName, shown] of [
    ['', 'attachment'],
    ['a😀.pdf', "attachment; filename*=UTF-8''a%F0%9F%98%80.pdf"],
    ['a\ud83d.pdf', "attachment; filename*=UTF-8''a%EF%BF%BD.pdf"],
    ['\ude00\ud83d', "attachment; filename*=UTF-8''%EF%BF%BD%EF%BF%BD"],
  ] as const) {
    const { headers } = fileAnswer({ body: Readable.from([]), mimetype: 'application/pdf', fileName, sizeBytes: 1 })
    assert.equal(headers['Content-Disposition'], shown)
  }
})
