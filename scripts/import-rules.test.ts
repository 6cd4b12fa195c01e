import assert from 'node:assert/strict'
import { it } from 'node:test'
import { packageRoot } from '../schemas/package-root.js'
import { violations } from './import-rules.js'

it('every room imports only what its rule allows', () => {
  const result = violations(packageRoot)
  assert.ok(result.filesSeen > 50, `only ${result.filesSeen} files were seen`)
  assert.deepEqual(
    result.violations.map(({ file, imports, why }) => `${file} imports ${imports}. ${why}`),
    [],
  )
})
