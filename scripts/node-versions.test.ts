import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { packageRoot } from '../lib/package-root.js'
import { NODE_MAJORS } from '../test/support/node-binary.js'
import { CORE_TESTS } from './node-versions.js'

const read = (file: string): string => readFileSync(path.join(packageRoot, file), 'utf8')
const [oldest, , newest] = NODE_MAJORS

describe('the versions of Node.js', () => {
  it('are the same in package.json, the README, the types and the image', () => {
    const { engines, devDependencies } = JSON.parse(read('package.json')) as {
      engines: { node: string }
      devDependencies: Record<string, string>
    }
    assert.deepEqual(
      engines.node.split(' || ').map((range) => Number(/\d+/.exec(range)?.[0])),
      NODE_MAJORS,
    )
    assert.match(read('README.md'), /Node\.js 20 \(20\.19 or newer\), 22 \(22\.12 or newer\) or 24/)
    // Types of a newer version would let us use what the oldest one has not.
    assert.equal(Number(/\d+/.exec(devDependencies['@types/node'] ?? '')?.[0]), oldest)
    assert.match(read('Dockerfile'), new RegExp(`^ARG NODE_VERSION=${newest}$`, 'm'))
    assert.equal(read('.nvmrc').trim(), String(newest))
  })

  it('run core tests that are there', () => {
    assert.deepEqual(
      CORE_TESTS.filter((test) => !existsSync(path.join(packageRoot, `${test}.ts`))),
      [],
    )
  })
})
