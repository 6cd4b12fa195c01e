import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { it } from 'node:test'
import { webmVoice } from '../../test/support/samples.js'
import { createWork } from '../work/work.js'
import { RefusedFile } from './pictures.js'
import { createUnaidedConversions } from './unaided.js'

it('a voice message that the disk does not take, or that takes too long, is told from one that is broken', async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'unaided-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [good, broken] = [path.join(folder, 'good'), path.join(folder, 'broken')]
  const recording = await webmVoice(2)
  writeFileSync(good, recording)
  writeFileSync(broken, recording.subarray(0, 60))
  const { toOgg } = createUnaidedConversions(createWork())
  const to = path.join(folder, 'to')
  await toOgg('r1', good, to)
  await assert.rejects(toOgg('r1', broken, to), RefusedFile)
  if (process.platform === 'linux') await assert.rejects(toOgg('r1', good, '/dev/full'), { code: 'ENOSPC' })
  const hasty = createUnaidedConversions(createWork(), 1)
  await assert.rejects(hasty.toOgg('r1', good, to), new RefusedFile('it takes too long to read'))
})
