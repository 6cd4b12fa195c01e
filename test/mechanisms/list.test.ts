import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { mechanisms } from './list.js'

const built = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..')

it('every mechanism of the list stands in the program, once', () => {
  for (const { file, on } of mechanisms.flatMap(({ switches }) => switches)) {
    const text = readFileSync(path.join(built, file), 'utf8')
    assert.equal(text.split(on).length - 1, 1, `${file}: ${on}`)
  }
})
