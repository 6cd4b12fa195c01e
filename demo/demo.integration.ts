import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('main.js', import.meta.url))

describe('the demo runs to its end, every step of it', () => {
  it('with one gateway', async () => {
    const { code, output } = await runDemo('--exit')
    assert.equal(code, 0, output)
    assert.match(output, /Done: \d+ signed webhooks received\./)
  })

  it('with three nodes, one of which is killed', async () => {
    const { code, output } = await runDemo('--exit', '--nodes', '3')
    assert.equal(code, 0, output)
    assert.match(output, /\$ kill -9 \d+/)
    assert.match(output, /Done: a node was killed, and of \d+ texts and \d+ webhooks nothing is missing/)
  })
})

it('a demo that was asked for what it cannot do says what it can, and ends with 1', async () => {
  const { code, output } = await runDemo('--nodes', 'one')
  assert.equal(code, 1)
  assert.match(output, /The demo failed: --nodes takes a whole number from 2 on/)
})

async function runDemo(...options: readonly string[]): Promise<{ code: number | null; output: string }> {
  const demo = spawn(process.execPath, [program, ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [demo.stdout, demo.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  const [code] = (await once(demo, 'close')) as [number | null]
  return { code, output }
}
