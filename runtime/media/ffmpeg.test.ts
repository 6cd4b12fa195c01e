import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import { GatewayError } from '../../schemas/errors.js'
import { testFolder } from '../../test/support/embedded.js'
import { wav } from '../../test/support/samples.js'
import { standInFfmpeg } from '../../test/support/stand-in-ffmpeg.js'
import { createWork } from '../work/work.js'
import { createFfmpeg, findFfmpeg } from './ffmpeg.js'

const options = { timeoutMs: 30_000, outputMaxBytes: 1_000_000 }
const refusedBy = (code: string, why?: RegExp) => (error: unknown) =>
  error instanceof GatewayError && error.code === code && (why?.test(JSON.stringify(error.details)) ?? true)

it('ffmpeg is the one that is configured, else the first on PATH', (t) => {
  const { program } = standInFfmpeg(t)
  assert.equal(findFfmpeg(program, ''), program)
  assert.equal(findFfmpeg(undefined, `/nonexistent:${path.dirname(program)}`), program)
  assert.equal(findFfmpeg('/nonexistent/ffmpeg', path.dirname(program)), undefined)
  assert.equal(findFfmpeg(undefined, '/nonexistent:.'), undefined)
})

it('without ffmpeg a conversion is refused with a sentence, and what is only nice to have is left out', async () => {
  const ffmpeg = createFfmpeg({ ...options, work: createWork(), program: undefined })
  await assert.rejects(ffmpeg.toVoiceNote('', 'a', 'b'), refusedBy('CONVERSION_UNAVAILABLE'))
  await assert.rejects(ffmpeg.toMp3('', 'a', 'b'), refusedBy('CONVERSION_UNAVAILABLE'))
  assert.deepEqual([await ffmpeg.waveform('', 'a'), await ffmpeg.firstPicture('', 'a', 100)], [null, null])
})

it('refuses files that ffmpeg refuses or takes too long for, without naming paths', async (t) => {
  const { program, voiceNote } = standInFfmpeg(t)
  const folder = testFolder(t)
  const [from, to] = [path.join(folder, 'from'), path.join(folder, 'to')]
  const ffmpeg = createFfmpeg({ ...options, work: createWork(), program })
  writeFileSync(from, wav())
  await ffmpeg.toVoiceNote('', from, to)
  assert.ok(readFileSync(to).equals(voiceNote))
  writeFileSync(from, 'FAIL')
  await assert.rejects(
    ffmpeg.toMp3('', from, to),
    refusedBy('MEDIA_TYPE_REFUSED', /cannot convert it: the file: Invalid data/),
  )
  writeFileSync(from, 'HANG')
  const hurried = createFfmpeg({ ...options, work: createWork(), program, timeoutMs: 300 })
  await assert.rejects(hurried.toMp3('', from, to), refusedBy('MEDIA_TYPE_REFUSED', /it took too long/))
})

it('the waveform of a sound has 64 steps, the loudest of which is 100', async (t) => {
  const { program } = standInFfmpeg(t)
  const from = path.join(testFolder(t), 'from')
  writeFileSync(from, wav())
  const steps = Buffer.from(
    (await createFfmpeg({ ...options, work: createWork(), program }).waveform('', from)) ?? '',
    'base64',
  )
  assert.equal(steps.length, 64)
  assert.equal(Math.max(...steps), 100)
})

it('converts for an instance while another one has files that take all the time they may', async (t) => {
  const { program, mp3 } = standInFfmpeg(t)
  const folder = testFolder(t)
  const [slow, sound, to] = ['slow', 'sound', 'to'].map((name) => path.join(folder, name)) as [string, string, string]
  writeFileSync(slow, 'HANG')
  writeFileSync(sound, wav())
  const ffmpeg = createFfmpeg({ ...options, work: createWork(), program, timeoutMs: 8_000 })
  const first = Array.from({ length: 4 }, () => ffmpeg.toMp3('hostile', slow, `${to}.slow`).catch(() => 'hostile'))
  const other = ffmpeg.toMp3('other', sound, to).then(() => 'other')
  assert.equal(await Promise.race([...first, other]), 'other')
  assert.ok(readFileSync(to).equals(mp3))
})
