import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import { packageRoot } from '../lib/package-root.js'
import { testFolder } from '../test/support/embedded.js'
import { START_ENVIRONMENT, START_OPTIONS } from './start-options.js'

const read = (file: string): string => readFileSync(path.join(packageRoot, file), 'utf8')

it('starts a gateway with the same options by `npm start` as by `posthorn start`', (t) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } }
  assert.ok(scripts.start.endsWith('&& scripts/start.sh'))
  const folder = testFolder(t)
  mkdirSync(path.join(folder, 'bin'))
  const fake = '#!/bin/sh\nprintf "%s\\n" "$MALLOC_ARENA_MAX" "$@"\n'
  writeFileSync(path.join(folder, 'bin/node'), fake, { mode: 0o755 })
  const { MALLOC_ARENA_MAX: _, ...environment } = process.env
  const output = execFileSync(path.join(packageRoot, 'scripts/start.sh'), ['--open'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...environment, PATH: `${path.join(folder, 'bin')}:${process.env.PATH}` },
  })
  const [arenas, ...words] = output.trim().split('\n')
  assert.equal(arenas, START_ENVIRONMENT.MALLOC_ARENA_MAX)
  const program = words.at(-2) ?? ''
  assert.deepEqual(words, [...START_OPTIONS, program, '--open'])
  assert.equal(path.normalize(program), path.join(packageRoot, 'dist/main.js'))
})

it('gives the image the same options', () => {
  const image = read('Dockerfile')
  assert.ok(
    image.includes(`ENTRYPOINT ${JSON.stringify(['node', ...START_OPTIONS, 'dist/main.js']).replaceAll(',', ', ')}`),
  )
  for (const [name, value] of Object.entries(START_ENVIRONMENT))
    assert.match(image, new RegExp(`^ENV .*${name}=${value}\\b`, 'm'))
})
