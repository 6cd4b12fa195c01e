import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { pino } from 'pino'
import type { GatewayError } from '../../../../schemas/errors.js'
import type { InstanceId } from '../../../../schemas/ids.js'
import { NodeRecordings } from './recordings.js'

const [ANA, BEN, EVE] = ['ana', 'ben', 'eve'] as InstanceId[] as [InstanceId, InstanceId, InstanceId]

function scene(t: TestContext, filesMax = 2) {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'recordings-'))
  t.after(() => rmSync(parent, { recursive: true, force: true }))
  const folder = path.join(parent, 'recordings')
  const recordings = new NodeRecordings({ folder, filesMax, nodeId: 'n1', logger: pino({ level: 'silent' }) })
  return { folder, recordings }
}

const stanza = { tag: 'receipt', attrs: { id: 'A', from: '1555@s.whatsapp.net' } }

describe('recordings of a node', () => {
  it('start, continue when they are started again, and stop', async (t) => {
    const { recordings } = scene(t)
    assert.equal(recordings.of(ANA), undefined)
    const { file, recording } = await recordings.start(ANA)
    assert.equal(recording, true)
    recordings.of(ANA)?.received(stanza)
    recordings.of(ANA)?.sent("<ack id='A' class='receipt'/>")
    assert.equal((await recordings.start(ANA)).file, file)
    const stopped = await recordings.stop(ANA)
    assert.deepEqual([stopped.recording, stopped.stanzas, stopped.file], [false, 2, file])
    assert.equal(recordings.of(ANA), undefined)
    const lines = readFileSync(String(file), 'utf8').trim().split('\n')
    assert.deepEqual(
      lines.slice(1).map((line) => (JSON.parse(line) as { direction: string; stanza: object }).stanza),
      [
        { tag: 'receipt', attrs: { id: 'id1', from: 'person1@s.whatsapp.net' } },
        { tag: 'ack', attrs: { id: 'id1', class: 'receipt' } },
      ],
    )
    assert.equal((JSON.parse(lines[0] ?? '') as { format: number }).format, 1)
    assert.equal((await recordings.read(ANA)).content, readFileSync(String(file), 'utf8'))
    assert.equal(statSync(String(file)).mode & 0o077, 0, 'only the gateway may read it')
  })

  it('end when their file is full, with a line that says so', async (t) => {
    const { recordings } = scene(t)
    await recordings.start(ANA)
    const recording = recordings.of(ANA)
    for (let count = 0; count < 20_000; count += 1) recording?.received(stanza)
    const { recording: isActive, bytes, content } = await recordings.read(ANA)
    assert.equal(isActive, false)
    assert.ok(bytes <= 512 * 1_024 + 20, String(bytes))
    assert.equal(content.length, bytes)
    assert.ok(content.endsWith('\n{"full":true}\n'))
  })

  it('are no more than the setting allows: the oldest one ends and is deleted', async (t) => {
    const { folder, recordings } = scene(t)
    const [first] = [await recordings.start(ANA), await recordings.start(BEN), await recordings.start(EVE)]
    assert.equal(recordings.of(ANA), undefined)
    assert.ok(recordings.of(BEN) && recordings.of(EVE))
    assert.equal(readdirSync(folder).length, 2)
    assert.ok(!readdirSync(folder).includes(path.basename(String(first.file))))
    assert.deepEqual([(await recordings.read(ANA)).file, (await recordings.read(ANA)).content], [null, ''])
  })

  it('are refused when the setting allows none', async (t) => {
    const { recordings } = scene(t, 0)
    await assert.rejects(recordings.start(ANA), (error: GatewayError) => error.code === 'NOT_SUPPORTED')
  })

  it('end without harm when the folder is lost', async (t) => {
    const { folder, recordings } = scene(t)
    await recordings.start(ANA)
    await recordings.read(ANA)
    rmSync(folder, { recursive: true })
    recordings.of(ANA)?.received(stanza)
    assert.equal((await recordings.stop(ANA)).recording, false)
    assert.equal((await recordings.read(ANA)).content, '')
  })
})
