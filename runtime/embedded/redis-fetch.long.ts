import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { testFolder } from '../../test/support/embedded.js'
import { cachedRedis, fetchRedis } from './redis-binary.js'

const run = promisify(execFile)

it('Redis is fetched from the packages of the distribution once, and runs', {
  skip: !existsSync('/usr/bin/apt-get') && 'no apt',
}, async (t) => {
  const before = process.env.XDG_CACHE_HOME
  t.after(() => {
    if (before === undefined) delete process.env.XDG_CACHE_HOME
    else process.env.XDG_CACHE_HOME = before
  })
  process.env.XDG_CACHE_HOME = testFolder(t)
  const dataFolder = testFolder(t)
  const fetched = await fetchRedis(dataFolder)
  assert.ok(fetched.program.startsWith(path.join(process.env.XDG_CACHE_HOME, 'posthorn')))
  const { stdout } = await run(fetched.program, ['--version'], { env: fetched.environment })
  assert.match(stdout, /v=\d+\.\d+/)
  assert.equal(cachedRedis(dataFolder)?.program, fetched.program)
})
