import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import { packageRoot } from '../schemas/package-root.js'
import { START_ENVIRONMENT, START_OPTIONS } from './start-options.js'

it('gives a gateway the same options by every way to start it', () => {
  const [file, readme, image] = ['package.json', 'README.md', 'Dockerfile'].map((name) =>
    readFileSync(path.join(packageRoot, name), 'utf8'),
  ) as [string, string, string]
  const variables = Object.entries(START_ENVIRONMENT).map(([name, value]) => `${name}=${value}`)
  const command = [...variables, 'node', ...START_OPTIONS, 'dist/main.js'].join(' ')
  assert.ok((JSON.parse(file) as { scripts: { start: string } }).scripts.start.endsWith(`&& ${command}`))
  assert.ok(readme.includes(`\`${command}\``))
  assert.ok(
    image.includes(`ENTRYPOINT ${JSON.stringify(['node', ...START_OPTIONS, 'dist/main.js']).replaceAll(',', ', ')}`),
  )
  for (const variable of variables) assert.match(image, new RegExp(`^ENV .*${variable}\\b`, 'm'))
})
