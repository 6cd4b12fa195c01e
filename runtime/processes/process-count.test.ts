import assert from 'node:assert/strict'
import os from 'node:os'
import { describe, it } from 'node:test'
import { processCount } from './process-count.js'

const cores = os.availableParallelism()

function container(files: Readonly<Record<string, string>>): (file: string) => string | undefined {
  return (file) => files[file]
}

describe('the number of processes', () => {
  it('is the given one, whatever the machine has', () => {
    assert.equal(processCount(7, container({ '/sys/fs/cgroup/cpu.max': '100000 100000\n' })), 7)
  })

  it('is one for each core with auto', () => {
    assert.equal(processCount('auto', container({})), cores)
    assert.equal(processCount('auto', container({ '/sys/fs/cgroup/cpu.max': 'max 100000\n' })), cores)
    assert.equal(processCount('auto', container({ '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n' })), cores)
  })

  it('is at most the limit of the container with auto, and at least one', () => {
    assert.equal(processCount('auto', container({ '/sys/fs/cgroup/cpu.max': '150000 100000\n' })), 1)
    assert.equal(processCount('auto', container({ '/sys/fs/cgroup/cpu.max': '50000 100000\n' })), 1)
    const old = { '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '100000', '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000' }
    assert.equal(processCount('auto', container(old)), 1)
  })
})
