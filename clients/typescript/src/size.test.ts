import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { routes } from '../../../api/routes.js'
import { packageRoot, packageVersion } from '../../../lib/package-root.js'
import { Posthorn } from './client.js'

const SIZE_MAX_BYTES = 15_000

describe('the package of the client', () => {
  it('is at most 15 kB with all operations, and imports nothing', async () => {
    const entry = fileURLToPath(new URL('index.js', import.meta.url))
    const { outputFiles, metafile } = await build({
      entryPoints: [entry],
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'neutral',
      write: false,
      metafile: true,
    })
    const bytes = gzipSync(outputFiles[0]?.contents ?? '').length
    assert.ok(bytes > 1_000 && bytes <= SIZE_MAX_BYTES, `${bytes} bytes`)
    assert.deepEqual(Object.values(metafile.outputs)[0]?.imports, [])
  })

  it('has a method for each operation, besides the stream and pages for browsers', () => {
    const expected = routes
      .filter(({ hidden, produces, name }) => !hidden && produces !== 'text/html' && name !== 'streamEvents')
      .map(({ name }) => name)
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(Posthorn.prototype)).slice(1)
    assert.deepEqual(methods.toSorted(), expected.toSorted())
  })

  it('has the version of the gateway, and no dependencies', () => {
    const file = readFileSync(path.join(packageRoot, 'clients/typescript/package.json'), 'utf8')
    const { version, ...more } = JSON.parse(file) as Record<string, unknown>
    assert.equal(version, packageVersion)
    assert.deepEqual(
      Object.keys(more).filter((name) => /dependencies/i.test(name)),
      [],
    )
  })
})
