import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { packageRoot } from '../lib/package-root.js'
import { errors } from '../schemas/errors.js'
import { generatedFiles } from './generate.js'

const read = (file: string): string => readFileSync(path.join(packageRoot, file), 'utf8')

describe('the output of `npm run generate`', () => {
  it('is as fresh as what it is made from', async () => {
    for (const [file, text] of Object.entries(await generatedFiles())) {
      assert.ok(read(file) === text, `${file} is stale: run npm run generate.`)
    }
  })
})

describe('the page of errors', () => {
  it('lists every code of the registry with its status, and no other', () => {
    const rows = read('docs/reference/errors.md').matchAll(/^\| `(\w+)` \| (\d+) \|/gm)
    const listed = Object.fromEntries([...rows].map(([, code, status]) => [code, Number(status)]))
    assert.deepEqual(listed, Object.fromEntries(Object.entries(errors).map(([code, { status }]) => [code, status])))
  })
})
