import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type AgentConfig, NO_CHATBOT } from '../../schemas/agents/records.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { InstanceReader } from '../instance/instance-reader.js'
import { Agents } from './agents.js'

const config = (stopWord: string): AgentConfig => ({
  settings: { ...NO_CHATBOT, stopWord },
  agents: new Map(),
  triggers: [],
})

it('the owner knows each edit that was stored before it was told, also when it is reading already', async () => {
  let stored: AgentConfig | null = null
  const reads: (() => void)[] = []
  const agentConfig = () => {
    const seen = stored
    return new Promise<AgentConfig | null>((resolve) => reads.push(() => resolve(seen)))
  }
  const agents = new Agents({ id: 'i1' as InstanceId, reader: { agentConfig } as unknown as InstanceReader })
  assert.equal(agents.config(), null)
  const started = agents.ready()
  stored = config('first')
  const first = agents.reload()
  stored = config('second')
  const second = agents.reload()
  assert.equal(reads.length, 1)
  reads[0]?.()
  await started
  assert.equal(agents.config(), null)
  // The edits that came meanwhile share one read.
  await new Promise(setImmediate)
  assert.equal(reads.length, 2)
  reads[1]?.()
  await Promise.all([first, second])
  assert.equal(agents.config()?.settings.stopWord, 'second')
  await agents.ready()
  assert.equal(reads.length, 2)
})

it('a read that fails is made again', async () => {
  let isAway = true
  const agentConfig = async () => {
    if (isAway) throw new Error('away')
    return config('stop')
  }
  const agents = new Agents({ id: 'i1' as InstanceId, reader: { agentConfig } as unknown as InstanceReader })
  await assert.rejects(agents.ready(), /away/)
  isAway = false
  await agents.ready()
  assert.equal(agents.config()?.settings.stopWord, 'stop')
})
